//! Rows of a table as text.

/// Rows as text.
pub(super) fn written<'r>(
    rows: impl IntoIterator<Item = &'r csv::StringRecord>,
    separator: u8,
    crlf: bool,
) -> String {
    let end = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator).terminator(end).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row);
    }
    String::from_utf8_lossy(&writer.into_inner().unwrap_or_default()).into_owned()
}
