//! The files of a submission that are not read, for its warnings.

use crate::submission::SkippedFile;

/// The most of them that are named; the rest are only counted.
const MOST_NAMED: usize = 10;

/// The files of a submission that are not read.
#[derive(Clone, Debug, Default)]
pub struct SkippedFiles {
    named: Vec<SkippedFile>,
    /// The number of those beyond the limit.
    more: usize,
    /// The first that is neither a link nor too large.
    reason: Option<SkippedFile>,
}

impl SkippedFiles {
    /// Adds a skipped file.
    pub fn add(&mut self, file: SkippedFile) {
        if self.reason.is_none() && !matches!(file, SkippedFile::Link(_) | SkippedFile::TooLarge(_)) {
            self.reason = Some(file.clone());
        }
        if self.named.len() < MOST_NAMED { self.named.push(file) } else { self.more += 1 }
    }

    /// The first skipped file that may explain why there is nothing to grade: no link and no large file,
    /// which count as kinds of files.
    pub fn reason(&self) -> Option<&SkippedFile> {
        self.reason.as_ref()
    }

    /// The first skipped files, then the number of the rest.
    pub fn into_named(self) -> Vec<SkippedFile> {
        let more = (self.more > 0).then_some(SkippedFile::More(self.more));
        self.named.into_iter().chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::SkippedFiles;
    use crate::submission::SkippedFile;

    #[test]
    fn ten_are_named_and_the_first_that_is_no_kind_of_file_is_the_reason() {
        let link = SkippedFile::Link("a.py".to_owned());
        let deep = SkippedFile::Unkept("d".to_owned());
        let mut skipped = SkippedFiles::default();
        (0..9).for_each(|_| skipped.add(link.clone()));
        skipped.add(SkippedFile::TooLarge("data.txt".to_owned()));
        assert_eq!(skipped.reason(), None);
        skipped.add(deep.clone());
        skipped.add(SkippedFile::Irregular("pipe".to_owned()));
        assert_eq!(skipped.reason(), Some(&deep));
        let named = skipped.into_named();
        assert_eq!(named[..9], vec![link; 9]);
        assert_eq!(named[10..], [SkippedFile::More(2)]);
    }
}
