//! What a line of tasks must keep, whoever wrote it.

use super::{StepLine, TaskLine};
use crate::geometry::{Point, Size};

impl TaskLine {
    /// What is wrong with it beyond what its types say, with the field.
    ///
    /// # Errors
    /// If it has no steps, a picture has no pixels, a share is none, or a place that is clicked lies outside its
    /// picture. Boxes of targets may: published sets have such.
    pub fn check(&self) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("`steps` is empty, expected at least one step".to_owned());
        }
        let of = |(number, step): (usize, &StepLine)| step.check().map_err(|problem| format!("step {number}: {problem}"));
        self.steps.iter().enumerate().try_for_each(of)
    }
}

impl StepLine {
    fn check(&self) -> Result<(), String> {
        let [width, height] = self.image_size;
        let Ok(picture) = Size::try_from(self.image_size).map(Size::rect) else {
            return Err(format!("`image_size` is {width}x{height}, expected sides from 1 to 32768 px"));
        };
        if let Some(ratio) = self.visible_ratio.filter(|ratio| !(0.0..=1.0).contains(ratio)) {
            return Err(format!("`visible_ratio` is {ratio}, expected a share from 0 to 1"));
        }
        if let Some(Point { x, y }) = self.click_point.filter(|&point| !picture.contains(point)) {
            return Err(format!("`click_point` [{x}, {y}] lies outside the image of {width}x{height} px"));
        }
        for (at, place) in self.also_valid.iter().enumerate() {
            if !picture.covers(place.bbox) {
                let bbox = <[i32; 4]>::from(place.bbox);
                return Err(format!("`also_valid[{at}].bbox` {bbox:?} reaches beyond the image of {width}x{height} px"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_with_their_field() {
        let said = |steps: &str| {
            let line = format!("{{\"id\":\"t\",\"application\":\"a\",\"steps\":[{steps}]}}");
            serde_json::from_str::<TaskLine>(&line).unwrap().check().err().unwrap_or_default()
        };
        let step = |more: &str| {
            said(&format!("{{\"instruction\":\"i\",\"image_size\":[40,30],\"action\":\"click\",\"bbox\":[1,1,9,9]{more}}}"))
        };
        assert_eq!(said(""), "`steps` is empty, expected at least one step");
        assert_eq!(step(""), "");
        assert_eq!(
            step(",\"also_valid\":[{\"bbox\":[0,0,40,30],\"why\":\"w\"}],\"click_point\":[39,29],\"visible_ratio\":1"),
            ""
        );
        assert_eq!(
            step(",\"also_valid\":[{\"bbox\":[0,0,4,4],\"why\":\"w\"},{\"bbox\":[0,0,41,30],\"why\":\"w\"}]"),
            "step 0: `also_valid[1].bbox` [0, 0, 41, 30] reaches beyond the image of 40x30 px"
        );
        assert_eq!(step(",\"click_point\":[40,29]"), "step 0: `click_point` [40, 29] lies outside the image of 40x30 px");
        assert_eq!(step(",\"visible_ratio\":1.5"), "step 0: `visible_ratio` is 1.5, expected a share from 0 to 1");
        let empty = "{\"instruction\":\"i\",\"image_size\":[0,30],\"action\":\"type\",\"bbox\":null}";
        assert_eq!(said(empty), "step 0: `image_size` is 0x30, expected sides from 1 to 32768 px");
    }
}
