//! Rows of nested values as the columns of a Parquet file. Nothing is ever null: a missing thing is an empty list.
//! Columns are declared optional all the same, as readers compare them with columns of their own, which always are.
//!
//! Lists become columns by repetition and definition levels, as the Parquet format describes them.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// What a value is.
pub(super) enum Shape {
    Text,
    Bytes,
    Int,
    Double,
    List(Box<Shape>),
    Record(Vec<(&'static str, Shape)>),
}

/// A value.
pub(super) enum Cell {
    Text(String),
    Bytes(Vec<u8>),
    Int(i64),
    Double(f64),
    List(Vec<Cell>),
    /// In the order of the shape's fields.
    Record(Vec<Cell>),
}

impl Shape {
    /// A list of these.
    pub(super) fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// Its definition in a Parquet schema.
    fn definition(&self, name: &str) -> String {
        match self {
            Self::Text => format!("optional binary {name} (STRING);"),
            Self::Bytes => format!("optional binary {name};"),
            Self::Int => format!("optional int64 {name};"),
            Self::Double => format!("optional double {name};"),
            Self::List(inner) => {
                format!("optional group {name} (LIST) {{ repeated group list {{ {} }} }}", inner.definition("element"))
            }
            Self::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, shape)| shape.definition(name)).collect();
                format!("optional group {name} {{ {} }}", fields.join(" "))
            }
        }
    }

    /// How many columns it has.
    fn width(&self) -> usize {
        match self {
            Self::List(inner) => inner.width(),
            Self::Record(fields) => fields.iter().map(|(_, shape)| shape.width()).sum(),
            Self::Text | Self::Bytes | Self::Int | Self::Double => 1,
        }
    }

    /// Appends its columns, which lie inside `lists` lists.
    fn columns(&self, lists: i16, columns: &mut Vec<Column>) {
        match self {
            Self::List(inner) => inner.columns(lists + 1, columns),
            Self::Record(fields) => fields.iter().for_each(|(_, shape)| shape.columns(lists, columns)),
            Self::Text | Self::Bytes => columns.push(Column::new(lists, Leaves::Bytes(Vec::new()))),
            Self::Int => columns.push(Column::new(lists, Leaves::Ints(Vec::new()))),
            Self::Double => columns.push(Column::new(lists, Leaves::Doubles(Vec::new()))),
        }
    }
}

enum Leaves {
    Bytes(Vec<ByteArray>),
    Ints(Vec<i64>),
    Doubles(Vec<f64>),
}

/// Values of a column since the last group of rows was written.
struct Column {
    lists: i16,
    leaves: Leaves,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl Column {
    fn new(lists: i16, leaves: Leaves) -> Self {
        Self { lists, leaves, definition: Vec::new(), repetition: Vec::new() }
    }

    fn push(&mut self, leaf: Option<Cell>, repetition: i16, definition: i16) {
        match (&mut self.leaves, leaf) {
            (_, None) => {}
            (Leaves::Bytes(all), Some(Cell::Text(text))) => all.push(text.into_bytes().into()),
            (Leaves::Bytes(all), Some(Cell::Bytes(bytes))) => all.push(bytes.into()),
            (Leaves::Ints(all), Some(Cell::Int(value))) => all.push(value),
            (Leaves::Doubles(all), Some(Cell::Double(value))) => all.push(value),
            _ => unreachable!("rows have the shape of their table"),
        }
        self.repetition.push(repetition);
        self.definition.push(definition);
    }
}

/// A file being written.
pub(super) struct Table {
    shape: Shape,
    columns: Vec<Column>,
    writer: SerializedFileWriter<File>,
    rows: usize,
}

/// Rows that are held in memory before they are written.
const ROWS_AT_ONCE: usize = 32;

impl Table {
    /// Begins a file. `shape` is a record; `notes` are kept beside the schema.
    pub(super) fn create(path: &Path, shape: Shape, notes: &[(&str, String)]) -> Result<Self> {
        let Shape::Record(fields) = &shape else { unreachable!("a table is made of records") };
        let fields: Vec<String> = fields.iter().map(|(name, shape)| shape.definition(name)).collect();
        let schema = parse_message_type(&format!("message schema {{ {} }}", fields.join(" ")))?;
        let notes = notes.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())).collect();
        let properties = WriterProperties::builder()
            .set_key_value_metadata(Some(notes))
            .set_created_by(format!("windesk {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false)
            // Statistics would repeat whole pictures as least and greatest values.
            .set_statistics_enabled(EnabledStatistics::None)
            .build();
        let writer = SerializedFileWriter::new(File::create(path)?, Arc::new(schema), Arc::new(properties))?;
        let mut columns = Vec::new();
        shape.columns(0, &mut columns);
        Ok(Self { shape, columns, writer, rows: 0 })
    }

    /// Adds a row.
    pub(super) fn row(&mut self, row: Cell) -> Result<()> {
        let (Shape::Record(fields), Cell::Record(cells)) = (&self.shape, row) else { unreachable!("a table is made of records") };
        shred_fields(fields, cells, (0, 0, 0), &mut self.columns);
        self.rows += 1;
        if self.rows == ROWS_AT_ONCE { self.write_group() } else { Ok(()) }
    }

    /// Ends the file.
    pub(super) fn close(mut self) -> Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.writer.close().map(drop)
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("as many columns as the schema has");
            let definition = Some(column.definition.as_slice());
            let repetition = (column.lists > 0).then_some(column.repetition.as_slice());
            match &mut column.leaves {
                Leaves::Bytes(all) => {
                    writer.typed::<ByteArrayType>().write_batch(all, definition, repetition).map(|_| all.clear())
                }
                Leaves::Ints(all) => writer.typed::<Int64Type>().write_batch(all, definition, repetition).map(|_| all.clear()),
                Leaves::Doubles(all) => {
                    writer.typed::<DoubleType>().write_batch(all, definition, repetition).map(|_| all.clear())
                }
            }?;
            writer.close()?;
            column.definition.clear();
            column.repetition.clear();
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// Spreads a value over the first of `columns`, as many as its shape has; none where a list above it is empty. `at` is
/// its repetition level, the definition level of what it lies in, and the number of lists that it lies in.
fn shred(shape: &Shape, cell: Option<Cell>, at: (i16, i16, i16), columns: &mut [Column]) {
    let (repetition, above, lists) = at;
    let definition = above + i16::from(cell.is_some());
    match (shape, cell) {
        (Shape::Record(fields), cell) => {
            let cells = if let Some(Cell::Record(cells)) = cell { cells } else { Vec::new() };
            shred_fields(fields, cells, (repetition, definition, lists), columns);
        }
        (Shape::List(inner), Some(Cell::List(items))) if !items.is_empty() => {
            for (number, item) in items.into_iter().enumerate() {
                let repetition = if number == 0 { repetition } else { lists + 1 };
                shred(inner, Some(item), (repetition, definition + 1, lists + 1), columns);
            }
        }
        (Shape::List(inner), _) => shred(inner, None, (repetition, definition, lists + 1), columns),
        (_, leaf) => columns[0].push(leaf, repetition, definition),
    }
}

/// Spreads the fields of a record; without cells none of them is there.
fn shred_fields(fields: &[(&'static str, Shape)], cells: Vec<Cell>, at: (i16, i16, i16), columns: &mut [Column]) {
    let (mut cells, mut rest) = (cells.into_iter(), columns);
    for (_, shape) in fields {
        let (own, others) = rest.split_at_mut(shape.width());
        shred(shape, cells.next(), at, own);
        rest = others;
    }
}
