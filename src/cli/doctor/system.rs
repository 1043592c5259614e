//! The commands that install a missing interpreter on this system, by its `os-release` and a table of releases.

use keur_core::languages::{Engine, Language, Version, c, cpp};
use std::env::consts::OS;
use std::fs;

/// A system with a package manager.
struct System {
    /// The values of `ID` and `ID_LIKE` for it.
    ids: &'static [&'static str],
    /// The command that installs packages.
    install: &'static str,
    /// The packages of compilers of C and C++ and their sanitizers; `None` where keur grades neither.
    cpp: Option<&'static str>,
    /// Its releases that differ, the newest first; the last one stands for all older ones.
    releases: &'static [Release],
}

/// The packages of a release, and of those after it up to the next row.
struct Release {
    /// The first `VERSION_ID` with these packages.
    from: Version,
    python: Package,
    node: Package,
    java: Package,
}

/// The newest interpreter of one kind that a release has.
struct Package {
    version: Version,
    name: &'static str,
}

const fn package(major: u32, minor: u32, name: &'static str) -> Package {
    Package { version: Version::new(major, minor), name }
}

const fn release(from: (u32, u32), python: Package, node: Package, java: Package) -> Release {
    Release { from: Version::new(from.0, from.1), python, node, java }
}

/// The systems. Those that always have the newest versions have one row.
const SYSTEMS: &[System] = &[
    System {
        ids: &["ubuntu"],
        install: "sudo apt install",
        cpp: Some("g++"),
        releases: &[
            release(
                (25, 4),
                package(3, 13, "python3"),
                package(20, 18, "nodejs"),
                package(21, 0, DEFAULT_JDK),
            ),
            release(
                (24, 4),
                package(3, 12, "python3"),
                package(18, 19, "nodejs"),
                package(21, 0, DEFAULT_JDK),
            ),
            release((22, 4), package(3, 11, "python3.11"), package(12, 22, "nodejs"), package(17, 0, JDK_17)),
            release((0, 0), package(3, 9, "python3.9"), package(10, 19, "nodejs"), package(17, 0, JDK_17)),
        ],
    },
    System {
        ids: &["debian"],
        install: "sudo apt install",
        cpp: Some("g++"),
        releases: &[
            release(
                (13, 0),
                package(3, 13, "python3"),
                package(20, 19, "nodejs"),
                package(21, 0, DEFAULT_JDK),
            ),
            release(
                (12, 0),
                package(3, 11, "python3"),
                package(18, 20, "nodejs"),
                package(17, 0, DEFAULT_JDK),
            ),
            release((0, 0), package(3, 9, "python3"), package(12, 22, "nodejs"), package(17, 0, JDK_17)),
        ],
    },
    System {
        ids: &["rhel", "rocky", "almalinux", "centos", "ol"],
        install: "sudo dnf install",
        cpp: Some("gcc-c++ libasan libubsan"),
        releases: &[
            release(
                (10, 0),
                package(3, 12, "python3"),
                package(22, 13, "nodejs"),
                package(21, 0, JDK_21_RPM),
            ),
            release(
                (0, 0),
                package(3, 11, "python3.11"),
                package(20, 0, "@nodejs:20"),
                package(17, 0, JDK_17_RPM),
            ),
        ],
    },
    System {
        ids: &["fedora"],
        install: "sudo dnf install",
        cpp: Some("gcc-c++ libasan libubsan"),
        releases: &[release(
            (0, 0),
            package(3, 13, "python3"),
            package(22, 13, "nodejs"),
            package(25, 0, "java-latest-openjdk-devel"),
        )],
    },
    System {
        ids: &["arch"],
        install: "sudo pacman -S",
        cpp: Some("gcc"),
        releases: &[release(
            (0, 0),
            package(3, 14, "python"),
            package(25, 0, "nodejs"),
            package(25, 0, "jdk-openjdk"),
        )],
    },
    System {
        ids: &["alpine"],
        install: "apk add",
        cpp: None,
        releases: &[
            release(
                (3, 21),
                package(3, 12, "python3"),
                package(22, 13, "nodejs"),
                package(21, 0, "openjdk21-jdk"),
            ),
            release(
                (3, 19),
                package(3, 11, "python3"),
                package(20, 0, "nodejs"),
                package(17, 0, "openjdk17-jdk"),
            ),
            release(
                (3, 18),
                package(3, 11, "python3"),
                package(18, 20, "nodejs"),
                package(17, 0, "openjdk17-jdk"),
            ),
            release(
                (0, 0),
                package(3, 10, "python3"),
                package(18, 20, "nodejs"),
                package(17, 0, "openjdk17-jdk"),
            ),
        ],
    },
    System {
        ids: &["opensuse-tumbleweed"],
        install: "sudo zypper install",
        cpp: Some("gcc-c++"),
        releases: &[release(
            (0, 0),
            package(3, 13, "python3"),
            package(24, 0, "nodejs-default"),
            package(21, 0, JDK_21_RPM),
        )],
    },
    System {
        ids: &["opensuse", "opensuse-leap", "suse", "sles"],
        install: "sudo zypper install",
        cpp: Some("gcc-c++"),
        releases: &[
            release(
                (16, 0),
                package(3, 13, "python313"),
                package(22, 13, "nodejs22"),
                package(21, 0, JDK_21_RPM),
            ),
            release(
                (0, 0),
                package(3, 11, "python311"),
                package(20, 0, "nodejs20"),
                package(17, 0, JDK_17_RPM),
            ),
        ],
    },
    System {
        ids: &["macos"],
        install: "brew install",
        cpp: None,
        releases: &[release(
            (0, 0),
            package(3, 13, "python"),
            package(24, 0, "node"),
            package(25, 0, "--cask temurin"),
        )],
    },
    System {
        ids: &["windows"],
        install: "winget install",
        cpp: None,
        releases: &[release(
            (0, 0),
            package(3, 13, "Python.Python.3.13"),
            package(24, 0, "OpenJS.NodeJS.LTS"),
            package(21, 0, "EclipseAdoptium.Temurin.21.JDK"),
        )],
    },
];

const DEFAULT_JDK: &str = "default-jdk-headless";
const JDK_17: &str = "openjdk-17-jdk-headless";
const JDK_17_RPM: &str = "java-17-openjdk-devel";
const JDK_21_RPM: &str = "java-21-openjdk-devel";

/// The way to install each engine where the system's packages do not help.
const ELSEWHERE: &[(&str, &str)] = &[
    ("python", "`uv python install` (https://docs.astral.sh/uv)"),
    ("node", "https://nodejs.org/en/download"),
    ("java", "https://adoptium.net"),
];

/// The parts of an `os-release` that tell systems apart.
pub(super) struct OsRelease {
    ids: Vec<String>,
    /// Its version; `None` if it has none, or numbers its releases in its own way.
    version: Option<Version>,
    /// The name and version for people.
    title: String,
}

impl OsRelease {
    /// Reads the `os-release` of this machine.
    pub(super) fn here() -> OsRelease {
        let read = |path| fs::read_to_string(path).ok();
        match OS {
            "linux" => {
                let text = read("/etc/os-release").or_else(|| read("/usr/lib/os-release"));
                OsRelease::parse(&text.unwrap_or_default())
            }
            other => OsRelease::parse(&format!("ID={other}")),
        }
    }

    /// Reads the text of an `os-release`.
    pub(super) fn parse(text: &str) -> OsRelease {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.unwrap_or_default().trim().trim_matches(['"', '\'']).to_owned()
        };
        let id = value("ID");
        let (name, number) = (value("NAME"), value("VERSION_ID"));
        let mut ids = vec![id.clone()];
        ids.extend(value("ID_LIKE").split_whitespace().map(str::to_owned));
        let own = SYSTEMS.iter().any(|system| system.ids.contains(&id.as_str()));
        let version = Version::parse(&number).filter(|_| own);
        OsRelease { ids, version, title: format!("{name} {number}").trim().to_owned() }
    }

    fn system(&self) -> Option<&'static System> {
        let known = |id: &String| SYSTEMS.iter().find(|system| system.ids.contains(&id.as_str()));
        self.ids.iter().find_map(known)
    }

    /// The command that installs the compiler of a language here; `None` where none is known.
    pub(super) fn compiler_advice(&self, language: &Language) -> Option<String> {
        let system =
            self.system().filter(|_| [c::LANGUAGE.name, cpp::LANGUAGE.name].contains(&language.name))?;
        Some(format!("{} {}", system.install, system.cpp?))
    }

    /// The way to install an engine here, in a line; `None` where nothing is known, as for an engine built into
    /// keur.
    pub(super) fn advice(&self, engine: &Engine) -> Option<String> {
        let (_, elsewhere) = ELSEWHERE.iter().find(|(name, _)| *name == engine.name)?;
        let system = self.system()?;
        // A release without a number is the newest one, as Debian's `sid`.
        let is_of = |release: &&Release| self.version.is_none_or(|version| version >= release.from);
        let release = system.releases.iter().find(is_of)?;
        let package = match engine.name {
            "python" => &release.python,
            "node" => &release.node,
            _ => &release.java,
        };
        if package.version < engine.oldest {
            let (title, newest) = (engine.title, package.version.release());
            return Some(format!(
                "{} has {title} {newest} at most; for a newer one: {elsewhere}",
                self.title
            ));
        }
        let command = format!("{} {}", system.install, package.name);
        if self.version.is_some() || system.releases.len() == 1 {
            return Some(command);
        }
        Some(format!("{command}, if that is {} {} or newer", engine.title, engine.oldest.release()))
    }
}

#[cfg(test)]
mod tests {
    use super::OsRelease;
    use keur_core::languages::engines;

    const DEBIAN_12: &str = "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n";

    #[track_caller]
    fn check(os_release: &str, engine: &str, advice: Option<&str>) {
        let system = OsRelease::parse(os_release);
        let engine = engines().find(|known| known.name == engine).unwrap();
        assert_eq!(system.advice(engine).as_deref(), advice);
    }

    #[test]
    fn each_system_has_its_own_command_and_package() {
        check("ID=ubuntu\nVERSION_ID=\"24.04\"", "java", Some("sudo apt install default-jdk-headless"));
        check("ID=ubuntu\nVERSION_ID=\"22.04\"", "python", Some("sudo apt install python3.11"));
        check(DEBIAN_12, "python", Some("sudo apt install python3"));
        check("ID=fedora\nVERSION_ID=42", "node", Some("sudo dnf install nodejs"));
        check("ID=arch", "java", Some("sudo pacman -S jdk-openjdk"));
        check("ID=alpine\nVERSION_ID=3.21.3", "node", Some("apk add nodejs"));
        check("ID=\"opensuse-leap\"\nVERSION_ID=\"15.6\"", "python", Some("sudo zypper install python311"));
        check("ID='rocky'\nVERSION_ID='9.4'", "python", Some("sudo dnf install python3.11"));
        check("ID=macos", "java", Some("brew install --cask temurin"));
        check("ID=windows", "node", Some("winget install OpenJS.NodeJS.LTS"));
    }

    #[test]
    fn a_release_whose_package_is_too_old_has_no_command() {
        let node =
            "Debian GNU/Linux 12 has Node 18.20 at most; for a newer one: https://nodejs.org/en/download";
        check(DEBIAN_12, "node", Some(node));
        let python = "Ubuntu 20.04 has Python 3.9 at most; for a newer one: `uv python install` (https://docs.astral.sh/uv)";
        check("NAME=Ubuntu\nID=ubuntu\nVERSION_ID=20.04", "python", Some(python));
    }

    #[test]
    fn typescript_needs_a_newer_node_than_javascript() {
        let debian = OsRelease::parse("NAME=Debian\nID=debian\nVERSION_ID=13");
        let advice = |title: &str| {
            let engine = engines().find(|engine| engine.language.title == title).unwrap();
            debian.advice(engine).unwrap()
        };
        assert_eq!(advice("JavaScript"), "sudo apt install nodejs");
        let typescript = "Debian 13 has Node 20.19 at most; for a newer one: https://nodejs.org/en/download";
        assert_eq!(advice("TypeScript"), typescript);
    }

    #[test]
    fn a_system_is_also_known_by_the_one_that_it_derives_from() {
        let mint = "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"21\"";
        check(mint, "node", Some("sudo apt install nodejs, if that is Node 20.0 or newer"));
        let manjaro = "ID=manjaro\nID_LIKE=arch";
        check(manjaro, "node", Some("sudo pacman -S nodejs"));
        check("ID=plan9", "node", None);
        check("", "python", None);
        check(DEBIAN_12, "quickjs", None);
    }
}
