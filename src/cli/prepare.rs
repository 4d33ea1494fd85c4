//! `windesk pack prepare`: fills the folder of prepared pictures, where the pack as it was opened lies, too, so that
//! the first run on a machine is as quick as any.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use clap::Args;

use windesk_engine::pack::Pack;
use windesk_engine::render::Renderer;
use windesk_model::geometry::Size;
use windesk_model::index::WindowIndex;
use windesk_model::plural::counted;
use windesk_model::progress::Progress;

use super::place::PlaceArgs;
use super::progress::Bar;
use super::run::parse_canvas;
use super::{Done, threads_or_all};

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack prepare --cache-dir /srv/windesk\n\nFor images of containers and for clusters: runs with the same \
--cache-dir (or WINDESK_CACHE_DIR) find every picture there. What is there is kept; after an interruption run it again."
)]
pub(super) struct PrepareArgs {
    #[command(flatten)]
    pack: PlaceArgs,
    /// Screen size that wallpapers are prepared for.
    #[arg(long, value_name = "WxH", default_value = "2560x1440")]
    canvas: String,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

/// Runs `windesk pack prepare`.
pub(super) fn prepare(args: &PrepareArgs) -> anyhow::Result<Done> {
    let canvas = parse_canvas(&args.canvas)?;
    let named = args.pack.pack();
    let Some(folder) = named.picture_folder()? else {
        anyhow::bail!("--cache-dir none: no folder to keep images in, expected the one that later runs use")
    };
    let pack = named.open_kept_in(&folder)?;
    let windows: Vec<WindowIndex> = pack.windows.keys().filter(|&at| pack.windows[at].is_of_desktop()).collect();
    let work = Work {
        pack: &pack,
        renderer: Renderer::new(&pack)?,
        windows,
        canvas,
        next: AtomicUsize::new(0),
        all_kept: AtomicBool::new(true),
    };
    let bar = Bar::default();
    bar.begin(work.len() as u64, "images");
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads_or_all(args.threads)).map(|_| scope.spawn(|| work.take_all(&bar))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic in a worker"))
    });
    bar.end();
    done?;
    anyhow::ensure!(work.all_kept.load(Relaxed), "{}: could not keep every image, expected room for them", folder.display());
    tell!(
        "{}: images of {}, {} and {} for {}x{}",
        Path::new(&folder).display(),
        counted(work.windows.len(), "window"),
        counted(pack.icons.len(), "icon"),
        counted(pack.wallpapers.len(), "wallpaper"),
        canvas.width,
        canvas.height
    );
    Ok(Done::Clean)
}

/// Windows, then wallpapers, then icons, one after the other to whoever asks.
struct Work<'p> {
    pack: &'p Pack,
    renderer: Renderer<'p>,
    windows: Vec<WindowIndex>,
    canvas: Size,
    next: AtomicUsize,
    all_kept: AtomicBool,
}

impl Work<'_> {
    fn len(&self) -> usize {
        self.windows.len() + self.pack.wallpapers.len() + self.pack.icons.len()
    }

    fn take_all(&self, bar: &Bar) -> anyhow::Result<()> {
        loop {
            let at = self.next.fetch_add(1, Relaxed);
            if at >= self.len() {
                return Ok(());
            }
            let is_kept = if let Some(&window) = self.windows.get(at) {
                self.pack.prepare_pictures(window)
            } else if let Some(wallpaper) = self.pack.wallpapers.get(at - self.windows.len()) {
                self.renderer.prepare_wallpaper(&wallpaper.id, self.canvas)
            } else {
                self.renderer.prepare_icon(&self.pack.icons[at - self.windows.len() - self.pack.wallpapers.len()].id)
            };
            // Whoever finds that something can't be read ends the work of all.
            if is_kept.is_err() {
                self.next.store(self.len(), Relaxed);
            }
            if !is_kept? {
                self.all_kept.store(false, Relaxed);
            }
            bar.advance(1);
        }
    }
}
