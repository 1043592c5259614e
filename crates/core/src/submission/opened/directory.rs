//! The directory of a zip: what it holds, as the record at its end says (the zip specification, APPNOTE.TXT).

use super::taken::{LONGEST_NAME, LONGEST_PATH, shown};
use crate::submission::{FilesProblem, ZipProblem};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The record at the end, without its comment.
const END: usize = 22;

/// The header of an entry in the directory, without name, extra fields and comment.
const HEADER: usize = 46;

/// The most names in a path that is kept, with the folders around a submission.
const MOST_PARTS: usize = 20;

/// A source of the bytes of a zip.
pub trait ZipBytes: Read + Seek {}

impl<R: Read + Seek> ZipBytes for R {}

/// The limits of a zip.
#[derive(Debug)]
pub struct ZipLimits {
    /// The most bytes.
    pub bytes: u64,
    /// The most entries.
    pub(crate) entries: usize,
    /// The most bytes of its directory, which is kept in memory.
    pub(crate) directory: u64,
}

impl ZipLimits {
    /// A submission that is a zip.
    pub const SUBMISSION: ZipLimits = ZipLimits { bytes: 64 << 20, entries: 20_000, directory: 8 << 20 };

    /// A zip in a zip: it is read into memory.
    pub const INNER: ZipLimits = ZipLimits { bytes: 16 << 20, ..ZipLimits::SUBMISSION };

    /// The zip of a class: what a zip can have without zip64. One student's files may use that up; then the
    /// class is given as a folder.
    pub const CLASS: ZipLimits =
        ZipLimits { bytes: u32::MAX as u64, entries: u16::MAX as usize, directory: 64 << 20 };
}

/// The entries of a zip.
#[derive(Debug)]
pub struct Directory {
    entries: Vec<ZipEntry>,
    /// The indices of the entries, by path.
    by_path: Vec<usize>,
}

/// An entry of a zip.
#[derive(Debug)]
pub struct ZipEntry {
    /// The path in the zip; only the start of it if the path cannot be kept.
    pub path: PathBuf,
    /// The kind of entry.
    pub kind: ZipEntryKind,
    /// The name as it is written, to compare with the other place that has it.
    pub(super) name: Vec<u8>,
    /// The bytes of the entry, and those that they are packed into.
    pub size: u64,
    pub(super) packed: u64,
    pub(super) crc: u32,
    pub(super) method: u16,
    pub(super) is_encrypted: bool,
    /// Whether its numbers are in a field for large files.
    pub(super) is_large: bool,
    /// Where its header is, and where the next entry or the directory starts.
    pub(super) header: u64,
    pub(super) end: u64,
}

/// The kinds of entries of a zip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZipEntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A device, a pipe or a socket.
    Irregular,
    /// A name that leads out of the zip.
    Outside,
    /// A name that is too long, too deep or none.
    Unkept,
}

impl Directory {
    pub(super) fn read(
        source: &mut dyn ZipBytes,
        limits: &ZipLimits,
        name: &str,
    ) -> Result<Directory, FilesProblem> {
        let failed = |error: io::Error| of_io(name, &error);
        let bad = |why| FilesProblem::BadZip { file: name.to_owned(), why };
        let size = source.seek(SeekFrom::End(0)).map_err(failed)?;
        if size > limits.bytes {
            return Err(FilesProblem::TooLarge { file: name.to_owned(), most: limits.bytes });
        }
        let end = EndRecord::find(source, size).map_err(failed)?.ok_or_else(|| bad(ZipProblem::Damaged))?;
        if end.is_large() {
            return Err(bad(ZipProblem::Zip64));
        }
        let EndRecord { entries, directory, .. } = end;
        if entries > limits.entries {
            return Err(FilesProblem::TooMany { most: limits.entries });
        }
        if directory.end - directory.start > limits.directory {
            return Err(bad(ZipProblem::Directory));
        }
        let mut bytes = Vec::new();
        source.seek(SeekFrom::Start(directory.start)).map_err(failed)?;
        source.take(directory.end - directory.start).read_to_end(&mut bytes).map_err(failed)?;
        let read = entries_of(&bytes, entries, directory.start).ok_or_else(|| bad(ZipProblem::Damaged))?;
        Ok(Directory::of(read, directory.start))
    }

    fn of(mut entries: Vec<ZipEntry>, start: u64) -> Directory {
        let mut by_header: Vec<usize> = (0..entries.len()).collect();
        by_header.sort_by_key(|index| entries[*index].header);
        let ends = by_header.iter().skip(1).map(|next| entries[*next].header).chain([start]);
        for (index, end) in by_header.iter().zip(ends.collect::<Vec<_>>()) {
            entries[*index].end = end;
        }
        let mut by_path: Vec<usize> = (0..entries.len()).collect();
        by_path.sort_by(|one, other| entries[*one].path.cmp(&entries[*other].path));
        Directory { entries, by_path }
    }

    /// All entries, in the order of the zip.
    pub fn entries(&self) -> &[ZipEntry] {
        &self.entries
    }

    /// The entries whose path is `path` or below it, by path.
    pub(crate) fn below(&self, path: &Path) -> impl Iterator<Item = &ZipEntry> {
        let first = self.by_path.partition_point(|index| self.entries[*index].path.as_path() < path);
        let from = self.by_path[first..].iter().map(|index| &self.entries[*index]);
        from.take_while(move |entry| entry.path.starts_with(path))
    }
}

/// An error of the system has a number. Others come from what is read.
pub(super) fn of_io(name: &str, error: &io::Error) -> FilesProblem {
    let file = name.to_owned();
    match error.raw_os_error() {
        Some(_) => FilesProblem::Unreadable { file, why: error.to_string() },
        None => FilesProblem::BadZip { file, why: ZipProblem::Damaged },
    }
}

/// The record at the end of a zip.
struct EndRecord {
    entries: usize,
    directory: Range<u64>,
}

impl EndRecord {
    /// The last record whose comment ends where the zip does, and whose directory ends where it begins.
    fn find(source: &mut dyn ZipBytes, size: u64) -> io::Result<Option<EndRecord>> {
        let before = size.saturating_sub((END + usize::from(u16::MAX)) as u64);
        let mut tail = Vec::new();
        source.seek(SeekFrom::Start(before))?;
        source.take(size - before).read_to_end(&mut tail)?;
        for at in (0..(tail.len() + 1).saturating_sub(END)).rev() {
            let record = &tail[at..];
            if !record.starts_with(b"PK\x05\x06") || u16_at(record, 20) != record.len() - END {
                continue;
            }
            // A zip in several files says so here.
            let in_one_file = record[4..8] == [0; 4] && record[8..10] == record[10..12];
            let start = u64::from(u32_at(record, 16));
            let directory = start..start + u64::from(u32_at(record, 12));
            let found = EndRecord { entries: u16_at(record, 10), directory };
            let here = before + at as u64;
            let follows = found.directory.end == here || has_mark(source, &found.directory, here)?;
            if found.is_large() || (in_one_file && follows) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether the numbers are in another record, which only larger zips need than are read.
    fn is_large(&self) -> bool {
        let most = u64::from(u32::MAX);
        self.entries == usize::from(u16::MAX)
            || self.directory.start == most
            || self.directory.end - self.directory.start == most
    }
}

/// Whether a record for larger zips, which some programs always write, is between the directory and the
/// record `here`.
fn has_mark(source: &mut dyn ZipBytes, directory: &Range<u64>, here: u64) -> io::Result<bool> {
    /// The lengths of that record and of the one that leads to it.
    const LARGE: u64 = 56 + 20;
    let mut mark = [0; 4];
    if directory.end.checked_add(LARGE) != Some(here) {
        return Ok(false);
    }
    source.seek(SeekFrom::Start(directory.end))?;
    source.read_exact(&mut mark)?;
    Ok(mark == *b"PK\x06\x06")
}

/// The entries, as many as the record at the end says, if they fill the directory, which starts at `start` in
/// the zip.
fn entries_of(mut bytes: &[u8], count: usize, start: u64) -> Option<Vec<ZipEntry>> {
    let mut entries = Vec::new();
    for _ in 0..count {
        let header = bytes.get(..HEADER)?;
        if !header.starts_with(b"PK\x01\x02") {
            return None;
        }
        let (name, extra, comment) = (u16_at(header, 28), u16_at(header, 30), u16_at(header, 32));
        let after = bytes.get(HEADER..HEADER + name + extra + comment)?;
        let at = u64::from(u32_at(header, 42));
        if at > start {
            return None;
        }
        entries.push(entry(header, &after[..name], &after[name..name + extra]));
        bytes = &bytes[HEADER + after.len()..];
    }
    bytes.is_empty().then_some(entries)
}

fn entry(header: &[u8], name: &[u8], extra: &[u8]) -> ZipEntry {
    const ENCRYPTED: usize = 1 | 1 << 6 | 1 << 13;
    const UTF_8: usize = 1 << 11;
    let flags = u16_at(header, 8);
    let text = match (unicode_name(name, extra), std::str::from_utf8(name)) {
        (Some(text), _) => text,
        // Programs that write UTF-8 often do not say so.
        (None, Ok(text)) => text.to_owned(),
        (None, Err(_)) if flags & UTF_8 != 0 => String::from_utf8_lossy(name).into_owned(),
        (None, Err(_)) => name.iter().map(|byte| of_code_page_437(*byte)).collect(),
    };
    let [packed, size, place] = [20, 24, 42].map(|at| u32_at(header, at));
    let (path, flaw) = path_of(&text);
    ZipEntry {
        path,
        kind: flaw.unwrap_or_else(|| kind(header, &text)),
        name: name.to_owned(),
        size: size.into(),
        packed: packed.into(),
        crc: u32_at(header, 16),
        method: u16::from_le_bytes([header[10], header[11]]),
        is_encrypted: flags & ENCRYPTED != 0,
        is_large: [packed, size, place].contains(&u32::MAX),
        header: place.into(),
        // Known once all headers are.
        end: 0,
    }
}

/// The kind of an entry by its name, and by its mode if it is from Unix or a Mac.
fn kind(header: &[u8], name: &str) -> ZipEntryKind {
    const UNIX: [u8; 2] = [3, 19];
    let mode = if UNIX.contains(&header[5]) { u32_at(header, 38) >> 28 } else { 0 };
    match mode {
        0o12 => ZipEntryKind::Link,
        _ if name.ends_with(['/', '\\']) => ZipEntryKind::Folder,
        0o4 => ZipEntryKind::Folder,
        0 | 0o10 => ZipEntryKind::File,
        _ => ZipEntryKind::Irregular,
    }
}

/// The path that a name in a zip stands for, the same on every system; or its start, and why it cannot be
/// kept.
fn path_of(name: &str) -> (PathBuf, Option<ZipEntryKind>) {
    let parts = || name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
    let has_drive = parts().next().is_some_and(|part| {
        part.as_bytes().get(1) == Some(&b':') && part.as_bytes()[0].is_ascii_alphabetic()
    });
    if name.contains('\0') || has_drive || parts().any(|part| part == "..") {
        return (PathBuf::from(shown(Path::new(name))), Some(ZipEntryKind::Outside));
    }
    // Of a name that is too long the start is left: a platform writes the student there.
    let cut = |part: &'_ str| part[..part.floor_char_boundary(LONGEST_NAME)].to_owned();
    let mut length = 0;
    let kept = parts().map(cut).take_while(|part| {
        length += part.len() + 1;
        length <= LONGEST_PATH
    });
    let kept: Vec<String> = kept.take(MOST_PARTS).collect();
    let is_whole = !kept.is_empty() && kept.iter().eq(parts());
    (kept.iter().collect(), (!is_whole).then_some(ZipEntryKind::Unkept))
}

/// The name in Unicode that some programs add to one that is not (section 4.6.9 of the specification).
fn unicode_name(name: &[u8], mut extra: &[u8]) -> Option<String> {
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0), u16_at(extra, 2));
        let field = extra.get(4..4 + length)?;
        if id == 0x7075 && field.len() > 5 && field[0] == 1 {
            let mut crc = flate2::Crc::new();
            crc.update(name);
            let text = std::str::from_utf8(&field[5..]).ok()?;
            return (crc.sum() == u32_at(field, 1)).then(|| text.to_owned());
        }
        extra = &extra[4 + length..];
    }
    None
}

/// A character of a name from before Unicode.
fn of_code_page_437(byte: u8) -> char {
    const HIGH: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    match byte.checked_sub(0x80) {
        None => char::from(byte),
        Some(high) => HIGH.chars().nth(high.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes([bytes[at], bytes[at + 1]]).into()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
