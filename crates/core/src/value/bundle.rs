//! The source files of a submission, as its driver, its notation and reports need them.

use std::path::PathBuf;
use std::sync::Arc;

/// A source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// The name; of a file of a crate, the path within it.
    pub name: String,
    /// The module that it is; `None` for a file that only a build needs.
    pub module: Option<String>,
    /// The path on disk; `None` if it is in a zip.
    pub path: Option<PathBuf>,
    /// The bytes, shared by all that show or send them.
    pub bytes: Arc<[u8]>,
}

/// The source files of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The files that are loaded, in order, and then the others.
    pub files: Vec<SourceFile>,
    /// The number of files that are loaded.
    pub mains: usize,
}

impl Bundle {
    /// The modules that are loaded, in order.
    pub fn modules(&self) -> Vec<&str> {
        self.files.iter().take(self.mains).filter_map(|file| file.module.as_deref()).collect()
    }

    /// The file with this name, if need be ignoring case.
    pub fn named(&self, name: &str) -> Option<&SourceFile> {
        let exact = self.files.iter().find(|file| file.name == name);
        exact.or_else(|| self.files.iter().find(|file| file.name.eq_ignore_ascii_case(name)))
    }

    /// The program with this name; a single file that is not loaded matches any name.
    pub fn program(&self, name: &str) -> Option<&SourceFile> {
        let single = self.files.first().filter(|_| self.files.len() == 1 && self.mains == 0);
        self.named(name).or(single)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bundle, SourceFile};

    #[test]
    fn a_file_is_found_by_its_name_and_a_single_program_by_any() {
        let file = |name: &str| SourceFile { name: name.to_owned(), ..SourceFile::default() };
        let bundle = Bundle { files: vec![file("A.py"), file("a.py")], mains: 0 };
        assert_eq!(bundle.named("a.py"), Some(&bundle.files[1]));
        assert_eq!(bundle.named("a.PY"), Some(&bundle.files[0]));
        assert_eq!(bundle.program("b.py"), None);
        let single = |mains| Bundle { files: vec![file("a.py")], mains };
        assert_eq!(single(0).program("b.py"), Some(&file("a.py")));
        assert_eq!(single(1).program("b.py"), None);
    }
}
