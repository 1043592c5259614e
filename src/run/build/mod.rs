//! Builds submissions into programs. Nothing in them is trusted: their compiler, build scripts and macros run
//! in the compiler's confinement, without a network, and write only to this submission's folder.

mod asked;
mod place;
mod settings;
mod skeleton;
mod workspace;

pub use settings::{BUILD_TIME, BuildSettings};
pub use skeleton::{Skeleton, SkeletonError};

use asked::asked_for;
use keur_core::adapter::{BY_OTHERS, Bundle, CHECK_TEMPORARY, Fault, Library};
use keur_core::case::Exercise;
use keur_core::languages::{AskedFor, BuildPlace, BuildTarget, CompileOptions, Compiler, Language, rust};
use keur_core::submission::opened::{MANIFEST, Opened};
use keur_core::submission::{
    BuildProblem, Built, FilesProblem, Product, Runner, Submission, SubmissionProblem, UnclearExercise,
};
use keur_core::submit::SERVE;
use keur_sandbox::tools::Finished;
use keur_sandbox::{Beneath, Cancel, Compilation, Tier, Tools};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The most times that a compilation is repeated without definitions that are not there: each may hide others.
const MOST_SETTLED: usize = 4;

/// Makes submissions of what was opened, for one run; those in a language with a compiler are built.
#[doc(hidden)]
pub struct Builder {
    settings: BuildSettings,
    tier: Tier,
    /// Ends every build.
    cancel: Cancel,
    /// The compiler of each language and way to compile, or why there is none; found for the first submission.
    compilers: Mutex<HashMap<(&'static str, CompileOptions), FoundCompiler>>,
}

/// A compiler, or why there is none.
type FoundCompiler = Result<Arc<dyn Compiler>, String>;

impl Builder {
    /// Builds nothing yet.
    pub fn new(settings: BuildSettings, tier: Tier, cancel: Cancel) -> Builder {
        Builder { settings, tier, cancel, compilers: Mutex::default() }
    }

    /// The programs to find compilers among.
    pub fn tools(&self) -> &Tools {
        &self.settings.tools
    }

    /// The exercise among `exercises` that `opened` answers. If that is a crate whose tests the course's own
    /// ones replace, those determine it.
    ///
    /// # Errors
    /// None of them, or several; lists the choices.
    pub fn exercise<'e>(
        &self,
        opened: &Opened,
        exercises: &[&'e Exercise],
    ) -> Result<&'e Exercise, UnclearExercise> {
        let skeleton = self.settings.skeleton.as_ref().filter(|_| opened.is_crate());
        match skeleton.and_then(|skeleton| skeleton.exercise_tested(exercises)) {
            Some(exercise) => Ok(exercise),
            None => opened.exercise(exercises),
        }
    }

    /// The opened submission as an answer to `exercise`, built if its language asks for that.
    ///
    /// # Errors
    /// A failure of keur itself: no compiler, a keur that is not available offline, a full disk.
    pub fn submission(&self, opened: Opened, exercise: &Exercise) -> Result<Submission, Fault> {
        let mut submission = opened.submission(exercise);
        let Ok(found) = &mut submission.found else { return Ok(submission) };
        let own = self.settings.skeleton.as_ref();
        let built = match &found.runner {
            Runner::Crate { test, around } => {
                let test = own.and_then(|own| own.test_of(exercise)).unwrap_or(test);
                self.build_crate(&found.bundle, around, test)
            }
            Runner::Driver(language) if language.build.is_some() => {
                self.build(language, &found.bundle, &asked_for(exercise, &found.bundle, language))
            }
            Runner::Driver(_) | Runner::Built(_) | Runner::Program { .. } => return Ok(submission),
        };
        match built {
            Ok(built) => {
                found.run_by(built);
                if let Some(course) = own.filter(|_| found.language() == Some(&rust::LANGUAGE)) {
                    course.replace_tests(&mut found.bundle);
                }
            }
            Err(NotBuilt::Problem(problem)) => submission.found = Err(problem),
            Err(NotBuilt::Fault(fault)) => return Err(fault),
        }
        Ok(submission)
    }

    /// Builds the program of a test target of the crate with these files, and these manifests around it.
    fn build_crate(&self, files: &Bundle, around: &[Arc<[u8]>], test: &Path) -> Result<Built, NotBuilt> {
        // The course's own manifest replaces the student's, whatever that inherits.
        let is_replaced =
            self.settings.skeleton.as_ref().is_some_and(|course| course.contains(Path::new(MANIFEST)));
        let completed = if is_replaced { None } else { Some(workspace::completed(files, around)?) };
        let asked = AskedFor { test: test.to_owned(), ..AskedFor::default() };
        self.build(&rust::LANGUAGE, completed.as_ref().unwrap_or(files), &asked)
    }

    /// Builds a submission in a language, which answers for what is asked.
    fn build(
        &self,
        language: &'static Language,
        files: &Bundle,
        asked: &AskedFor,
    ) -> Result<Built, NotBuilt> {
        if self.tier == Tier::Strict {
            let fault = format!("a submission in {} is built in the tier `standard` at most", language.title);
            return Err(Fault::new(fault).help("grade it in that tier").into());
        }
        let compiler = self.compiler(language, asked.options)?;
        let home = tempfile::Builder::new().prefix(&format!("keur-{}-", language.name)).tempdir()?;
        let place = BuildPlace::new(&home.path().join("build"));
        let kept = self.build_at(&place, files, asked, &*compiler).and_then(|built| {
            let keep = |(index, (name, file)): (usize, (String, File))| {
                let path = home.path().join(format!("grade-{index}"));
                place::keep(file, &path).map(|()| (name, path))
            };
            Ok(built.into_iter().enumerate().map(keep).collect::<io::Result<BTreeMap<_, _>>>()?)
        });
        keur_sandbox::clear(&place.folder);
        let mut made = kept?;
        let product = match compiler.driver() {
            Some(driver) => {
                let (calls, resident) = (made.remove(""), compiler.reserves_memory());
                let leaks = asked.options.leaks;
                Product::Library(Library { language, driver, calls, programs: made, resident, leaks })
            }
            None => {
                let programs = made.into_values().map(|path| path.display().to_string());
                Product::Program(programs.chain([SERVE.to_owned()]).collect())
            }
        };
        Ok(Built { language, product, home: Some(home) })
    }

    /// The compiler of a language that compiles in this way.
    fn compiler(
        &self,
        language: &'static Language,
        options: CompileOptions,
    ) -> Result<Arc<dyn Compiler>, Fault> {
        let mut compilers = keur_sandbox::lock(&self.compilers);
        let found = compilers.entry((language.name, options)).or_insert_with(|| match language.build {
            Some(build) => (build.compiler)(&self.settings.request(language, options)).map(Arc::from),
            None => Err(format!("a submission in {} is not built", language.title)),
        });
        found.clone().map_err(Fault::new)
    }

    /// Builds a submission in its own folders and opens the resulting programs, by the names of their targets.
    fn build_at(
        &self,
        place: &BuildPlace,
        files: &Bundle,
        asked: &AskedFor,
        compiler: &dyn Compiler,
    ) -> Result<Vec<(String, File)>, NotBuilt> {
        self.lay_out(files, asked, compiler, place)?;
        let target_folder = Beneath::open(&place.target)?;
        let mut deadline = Instant::now() + self.settings.time;
        let answer = match compiler.inquiry(place) {
            Some(inquiry) => Some(self.run(compiler, &inquiry, &mut deadline)?),
            None => None,
        };
        if answer.as_ref().is_some_and(|answer| answer.status.is_none()) {
            return Err(BuildProblem::TooSlow.into());
        }
        let plan = compiler.plan(answer.as_ref(), place, asked).map_err(BuildProblem::Errors)?;
        let own =
            |script: &&PathBuf| self.settings.skeleton.as_ref().is_none_or(|course| course.contains(script));
        if let Some(script) = plan.scripts.iter().find(|script| !own(script)) {
            let file = script.display().to_string();
            return Err(FilesProblem::BuildScript { file }.into());
        }
        let test = || asked.test.display().to_string();
        if plan.targets.is_empty() && compiler.driver().is_none() {
            return Err(FilesProblem::NoTest { test: test() }.into());
        }
        for target in &plan.targets {
            self.build_target(target, place, files, compiler, &mut deadline)?;
        }
        let gone = || BuildProblem::ProgramGone { test: test() };
        let open = |target: &BuildTarget| {
            let program = place::program(&target_folder, target).ok_or_else(gone)?;
            Ok((target.name.clone(), program))
        };
        plan.targets.iter().map(open).collect()
    }

    /// Runs the compiler for a target, again without the definitions that it does not find.
    fn build_target(
        &self,
        target: &BuildTarget,
        place: &BuildPlace,
        files: &Bundle,
        compiler: &dyn Compiler,
        deadline: &mut Instant,
    ) -> Result<(), NotBuilt> {
        let mut built = self.run(compiler, &compiler.compilation(place, target), deadline)?;
        for _ in 0..MOST_SETTLED {
            let has_failed = built.status.is_some_and(|status| !status.success());
            if !has_failed || !compiler.settle(&built, place, target)? {
                break;
            }
            built = self.run(compiler, &compiler.compilation(place, target), deadline)?;
        }
        let Some(status) = built.status else { return Err(BuildProblem::TooSlow.into()) };
        if !status.success() {
            let mut errors = compiler.errors(&built, place);
            if let Some(course) = &self.settings.skeleton {
                course.name_unlisted(files, &mut errors);
            }
            return Err(BuildProblem::Errors(errors).into());
        }
        Ok(())
    }

    /// Runs a compiler. One that somebody else ends or stops is run again, with all the time of a build.
    fn run(
        &self,
        compiler: &dyn Compiler,
        compilation: &Compilation,
        deadline: &mut Instant,
    ) -> Result<Finished, Fault> {
        let run = |until: Instant| {
            let time = until.saturating_duration_since(Instant::now());
            let finished = compilation.run(self.tier, time, &self.cancel);
            finished.map_err(|error| {
                Fault::new(format!("{} cannot be run", compilation.program.display())).because(error)
            })
        };
        let is_cut_off = |finished: &Finished| finished.is_cut_off || compiler.is_cut_off(finished);
        let first = run(*deadline)?;
        if !is_cut_off(&first) {
            return Ok(first);
        }
        *deadline = Instant::now() + self.settings.time;
        let second = run(*deadline)?;
        // A build that is not confined may have done it itself.
        if is_cut_off(&second) && self.tier != Tier::Portable {
            return Err(Fault::new(format!("the build of a submission was {BY_OTHERS}")));
        }
        Ok(second)
    }

    /// Writes the files of a submission next to what all builds share, the course's own files in place of the
    /// student's.
    fn lay_out(
        &self,
        files: &Bundle,
        asked: &AskedFor,
        compiler: &dyn Compiler,
        place: &BuildPlace,
    ) -> io::Result<()> {
        for folder in [&place.sources, &place.target, &place.temporary] {
            fs::create_dir_all(folder)?;
        }
        let made = compiler.files(files, asked);
        let given = files.files.iter().map(|file| (Path::new(&file.name), file.bytes.as_ref()));
        // Where the course has its own files, such a program counts only if it is one of them.
        let unasked = self.settings.skeleton.as_ref().and_then(|_| compiler.runs_unasked());
        let given = given.filter(|(path, _)| unasked != Some(*path));
        let own = self.settings.skeleton.iter().flat_map(Skeleton::files);
        let made = made.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        place::lay_out(&place.sources, own.chain(made), given)?;
        compiler.share(place, asked)?;
        // The user that runs it may traverse this folder, but not list it.
        #[cfg(unix)]
        if let Some(home) = place.folder.parent() {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(home, fs::Permissions::from_mode(0o711))?;
            fs::set_permissions(&place.folder, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }
}

/// A reason why a submission was not built.
#[derive(Debug)]
enum NotBuilt {
    /// The fault of the submission.
    Problem(SubmissionProblem),
    /// A failure of keur itself.
    Fault(Fault),
}

impl From<FilesProblem> for NotBuilt {
    fn from(problem: FilesProblem) -> NotBuilt {
        NotBuilt::Problem(SubmissionProblem::Files(problem))
    }
}

impl From<BuildProblem> for NotBuilt {
    fn from(problem: BuildProblem) -> NotBuilt {
        NotBuilt::Problem(SubmissionProblem::Build(problem))
    }
}

impl From<Fault> for NotBuilt {
    fn from(fault: Fault) -> NotBuilt {
        NotBuilt::Fault(fault)
    }
}

impl From<io::Error> for NotBuilt {
    fn from(error: io::Error) -> NotBuilt {
        NotBuilt::Fault(Fault::new("a submission cannot be built").because(error).help(CHECK_TEMPORARY))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{BuildSettings, Builder, NotBuilt};
    use keur_core::adapter::Bundle;
    use keur_core::languages::{AskedFor, BuildPlace, BuildPlan, BuildTarget, CompileError, Compiler};
    use keur_core::submission::{BuildProblem, SubmissionProblem};
    use keur_sandbox::tools::Finished;
    use keur_sandbox::{Cancel, Compilation, Tier, Tools};
    #[cfg(target_os = "linux")]
    use rustix::process::{Pid, Signal, kill_process};
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// A compiler that takes so many seconds to answer, and again to compile.
    struct Sleeper(&'static str);

    impl Sleeper {
        fn sleep(&self, place: &BuildPlace) -> Compilation {
            let system = ["/usr/bin", "/bin", "/usr/lib", "/lib", "/lib64"].map(PathBuf::from);
            Compilation {
                program: PathBuf::from("/bin/sleep"),
                args: vec![self.0.to_owned()],
                env: Vec::new(),
                home: place.folder.clone(),
                folder: place.sources.clone(),
                writable: Vec::new(),
                readable: Vec::new(),
                hidden: Vec::new(),
                executables: system.into_iter().filter(|path| path.exists()).collect(),
            }
        }
    }

    impl Compiler for Sleeper {
        fn files(&self, _: &Bundle, _: &AskedFor) -> Vec<(PathBuf, Vec<u8>)> {
            Vec::new()
        }

        fn runs_unasked(&self) -> Option<&Path> {
            None
        }

        fn share(&self, _: &BuildPlace, _: &AskedFor) -> io::Result<()> {
            Ok(())
        }

        fn inquiry(&self, place: &BuildPlace) -> Option<Compilation> {
            Some(self.sleep(place))
        }

        fn plan(
            &self,
            _: Option<&Finished>,
            _: &BuildPlace,
            _: &AskedFor,
        ) -> Result<BuildPlan, Vec<CompileError>> {
            let prefix = "grade-".to_owned();
            let (package, name) = ("own".to_owned(), "grade".to_owned());
            let targets = vec![BuildTarget { package, name, folder: &[], prefix }];
            Ok(BuildPlan { targets, scripts: Vec::new() })
        }

        fn compilation(&self, place: &BuildPlace, _: &BuildTarget) -> Compilation {
            self.sleep(place)
        }

        fn is_cut_off(&self, _: &Finished) -> bool {
            false
        }

        fn errors(&self, _: &Finished, _: &BuildPlace) -> Vec<CompileError> {
            Vec::new()
        }
    }

    #[test]
    fn the_inquiry_and_the_compilation_share_the_time_of_a_build() {
        // A busy machine makes both slower, which changes nothing here.
        let built = build(Tier::Portable, Duration::from_millis(500), Sleeper("0.3"));
        let Err(NotBuilt::Problem(problem)) = built else { panic!("{built:?}") };
        assert_eq!(problem, BuildProblem::TooSlow.into());
    }

    fn build(tier: Tier, time: Duration, compiler: Sleeper) -> Result<Vec<(String, File)>, NotBuilt> {
        let home = tempfile::tempdir()?;
        let place = BuildPlace::new(&home.path().join("build"));
        let settings = BuildSettings { time, ..BuildSettings::new(Tools::on_path(&[])) };
        let builder = Builder::new(settings, tier, Cancel::default());
        builder.build_at(&place, &Bundle::default(), &AskedFor::default(), &compiler)
    }

    /// Sends a signal to each process that sleeps so long, at most `times`, until `has_ended`.
    #[cfg(target_os = "linux")]
    fn send_to_each(signal: Signal, sleep: &str, times: usize, has_ended: &AtomicBool) {
        let mut done = Vec::new();
        let words = format!("sleep\0{sleep}\0");
        while !has_ended.load(Ordering::SeqCst) && done.len() < times {
            for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
                let pid = process.file_name().to_str().and_then(|name| Pid::from_raw(name.parse().ok()?));
                let Some(pid) = pid.filter(|pid| !done.contains(pid)) else { continue };
                let is_it = |text: Vec<u8>| text.ends_with(words.as_bytes());
                if fs::read(process.path().join("cmdline")).is_ok_and(is_it)
                    && kill_process(pid, signal).is_ok()
                {
                    done.push(pid);
                }
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_build_that_somebody_ends_or_stops_is_tried_again_and_is_never_the_students_fault() {
        let minute = Duration::from_secs(60);
        for (signal, time, sleep, times, is_fault) in [
            (Signal::KILL, minute, "0.81", 1, false),
            (Signal::KILL, minute, "1.82", 2, true),
            (Signal::STOP, Duration::from_secs(1), "0.83", 2, true),
        ] {
            let has_ended = AtomicBool::new(false);
            let built = std::thread::scope(|scope| {
                scope.spawn(|| send_to_each(signal, sleep, times, &has_ended));
                let built = build(Tier::Standard, time, Sleeper(sleep));
                has_ended.store(true, Ordering::SeqCst);
                built
            });
            match built {
                Err(NotBuilt::Fault(fault)) => {
                    assert!(is_fault && fault.to_string().contains("killed or stopped twice"), "{fault}")
                }
                Err(NotBuilt::Problem(SubmissionProblem::Build(BuildProblem::ProgramGone { .. }))) => {
                    assert!(!is_fault)
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
