"""Packs the programs of a release: archives, Debian packages and npm packages, and the sums of the released files.

`ci/release.sh` runs it after it has built the programs. The same programs give the same files, byte for byte.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent.parent
# The documents of a package, by name. The README is for those who have the repository.
DOCUMENTS = {"LICENSE-APACHE": "LICENSE-APACHE", "LICENSE-MIT": "LICENSE-MIT", "README.md": "ci/packages.md"}


class System(NamedTuple):
    """What packages call the system of a target: npm its operating system and processor, a wheel both, Debian its processor."""

    os: str
    cpu: str
    wheel: str
    deb: str | None = None

    @property
    def npm(self) -> str:
        return f"keur-{self.os}-{self.cpu}"

    @property
    def program(self) -> str:
        return "keur.exe" if self.os == "win32" else "keur"


SYSTEMS = {
    "x86_64-unknown-linux-musl": System("linux", "x64", "manylinux*_x86_64", "amd64"),
    "aarch64-unknown-linux-musl": System("linux", "arm64", "manylinux*_aarch64", "arm64"),
    "x86_64-pc-windows-gnu": System("win32", "x64", "win_amd64"),
    "aarch64-apple-darwin": System("darwin", "arm64", "macosx*_arm64"),
    "x86_64-apple-darwin": System("darwin", "x64", "macosx*_x86_64"),
}

# The files of `keur completions`, by shell: their names in an archive, and their places in a Debian package.
COMPLETIONS = {
    "bash": ("keur.bash", "usr/share/bash-completion/completions/keur"),
    "zsh": ("_keur", "usr/share/zsh/vendor-completions/_keur"),
    "fish": ("keur.fish", "usr/share/fish/vendor_completions.d/keur.fish"),
    "powershell": ("keur.ps1", None),
}

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: keur
Source: {repository}

Files: *
Copyright: the keur developers
License: Apache-2.0 or Expat

License: Apache-2.0
 On Debian systems, the text of this license is in /usr/share/common-licenses/Apache-2.0.

License: Expat
{expat}
"""

OVERRIDES = """\
# One program for every release of Debian.
keur: statically-linked-binary [usr/bin/keur]
# It is not for Debian's archive.
keur: initial-upload-closes-no-bugs [usr/share/doc/keur/changelog.Debian.gz:1]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages-of", required=True, help="the target whose program writes man pages and completions")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("targets", nargs="+", choices=SYSTEMS)
    arguments = parser.parse_args()
    package = metadata()
    out = arguments.out
    (out / "release").mkdir(parents=True)
    (out / "npm").mkdir()
    with tempfile.TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        write_pages(built(arguments.pages_of), pages)
        for target in arguments.targets:
            system, program = SYSTEMS[target], built(target)
            archive(package, target, program, pages, out / "release")
            if system.deb:
                debian(package, system.deb, program, pages, Path(work), out / "release")
            npm(npm_of_system(package, system), {f"bin/{system.program}": program}, Path(work), out / "npm")
        launcher = HOME / "ci/npm/keur.js"
        npm(npm_launcher(package), {"bin/keur.js": launcher}, Path(work), out / "npm")
    files = sorted((out / "release").iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (out / "release/SHA256SUMS").write_text(sums)


def metadata() -> dict:
    """The package `keur` of Cargo.toml, from which everything here has its names and addresses."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--manifest-path", str(HOME / "Cargo.toml")]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    return next(package for package in packages if package["name"] == "keur")


def built(target: str) -> Path:
    return HOME / "target" / target / "dist" / SYSTEMS[target].program


def written_at() -> int:
    """The time of every packed file, in seconds: that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    command = ["git", "-C", str(HOME), "log", "-1", "--format=%ct"]
    return int(given or subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def write_pages(program: Path, folder: Path) -> None:
    """Writes the man pages to `man` and the completions to `completions`."""
    (folder / "completions").mkdir(parents=True)
    subprocess.run([program, "man", folder / "man"], check=True, stdout=subprocess.DEVNULL)
    for shell, (name, _) in COMPLETIONS.items():
        script = subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        (folder / "completions" / name).write_bytes(script)


def archive_name(version: str, target: str) -> str:
    suffix = "zip" if SYSTEMS[target].os == "win32" else "tar.gz"
    return f"keur-{version}-{target}.{suffix}"


def archive(package: dict, target: str, program: Path, pages: Path, out: Path) -> None:
    """Writes the archive of a target, which holds a folder."""
    to = out / archive_name(package['version'], target)
    top = f"keur-{package['version']}-{target}"
    files = {program.name: program} | {name: HOME / path for name, path in DOCUMENTS.items()}
    for page in sorted(pages.glob("*/*")):
        files[str(page.relative_to(pages))] = page
    if to.suffix == ".zip":
        moment = time.gmtime(written_at())[:6]
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for name, path in files.items():
                entry = zipfile.ZipInfo(f"{top}/{name}", moment)
                file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
        return
    with open(to, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w") as file:
            for name, path in files.items():
                entry = tarfile.TarInfo(f"{top}/{name}")
                entry.size, entry.mtime = path.stat().st_size, written_at()
                entry.mode = 0o755 if path == program else 0o644
                with open(path, "rb") as contents:
                    file.addfile(entry, contents)


def debian(package: dict, processor: str, program: Path, pages: Path, work: Path, out: Path) -> None:
    """Writes `keur_VERSION-1_PROCESSOR.deb`."""
    version, repository = f"{package['version']}-1", package["repository"]
    owner = repository.split("/")[-2]
    maintainer = f"the keur developers <{owner}@users.noreply.github.com>"
    moment = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(written_at()))
    changes = f"keur ({version}) stable; urgency=medium\n\n  * Release {package['version']}.\n\n -- {maintainer}  {moment}\n"
    licence = (HOME / "LICENSE-MIT").read_text().rstrip().splitlines()
    expat = "\n".join(f" {line.strip() or '.'}" for line in licence)
    files = {
        "usr/bin/keur": program.read_bytes(),
        "usr/share/doc/keur/copyright": COPYRIGHT.format(repository=repository, expat=expat).encode(),
        "usr/share/doc/keur/changelog.gz": zipped((HOME / "CHANGELOG.md").read_bytes()),
        "usr/share/doc/keur/changelog.Debian.gz": zipped(changes.encode()),
        "usr/share/lintian/overrides/keur": OVERRIDES.encode(),
    }
    for page in (pages / "man").iterdir():
        files[f"usr/share/man/man1/{page.name}.gz"] = zipped(page.read_bytes())
    for name, place in COMPLETIONS.values():
        if place:
            files[place] = (pages / "completions" / name).read_bytes()
    size = sum(len(contents) for contents in files.values()) // 1024 + 1
    control = {
        "Package": "keur",
        "Version": version,
        "Architecture": processor,
        "Maintainer": maintainer,
        "Installed-Size": size,
        "Recommends": "python3",
        "Suggests": "nodejs, default-jdk-headless, g++",
        "Section": "education",
        "Priority": "optional",
        "Homepage": repository,
        "Description": "grader of programming-course submissions\n"
        " keur replays cases, written as transcripts, against what students hand in,\n"
        " in Python, JavaScript, Java, C++, C and Rust, confined by Landlock and\n"
        " seccomp. It explains each difference in English, Dutch or Danish.",
    }
    files["DEBIAN/md5sums"] = "".join(
        f"{hashlib.md5(contents).hexdigest()}  {name}\n" for name, contents in sorted(files.items())
    ).encode()
    files["DEBIAN/control"] = "".join(f"{key}: {value}\n" for key, value in control.items()).encode()
    root = work / f"keur_{version}_{processor}"
    for name, contents in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
        path.chmod(0o755 if name == "usr/bin/keur" else 0o644)
    for folder in [root, *(path for path in root.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(written_at())}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, out / f"{root.name}.deb"]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def zipped(contents: bytes) -> bytes:
    return gzip.compress(contents, 9, mtime=0)


def npm_common(package: dict) -> dict:
    repository = package["repository"]
    return {
        "version": package["version"],
        "description": package["description"],
        "license": package["license"],
        "homepage": repository,
        "repository": {"type": "git", "url": f"git+{repository}.git"},
    }


def npm_of_system(package: dict, system: System) -> dict:
    """The `package.json` of the package with the program of a system."""
    return {"name": system.npm} | npm_common(package) | {"os": [system.os], "cpu": [system.cpu], "files": ["bin", "LICENSE-*"]}


def npm_launcher(package: dict) -> dict:
    """The `package.json` of the package that users name, which gets that of their system."""
    return {"name": "keur"} | npm_common(package) | {
        "keywords": package["keywords"],
        "bin": {"keur": "bin/keur.js"},
        "files": ["bin", "LICENSE-*"],
        "engines": {"node": ">=18"},
        "optionalDependencies": {system.npm: package["version"] for system in SYSTEMS.values()},
    }


def npm(manifest: dict, files: dict[str, Path], work: Path, out: Path) -> None:
    """Writes `NAME-VERSION.tgz`, as `npm pack` does."""
    folder = work / "npm" / manifest["name"]
    (folder / "bin").mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    for name, path in files.items():
        shutil.copyfile(path, folder / name)
        (folder / name).chmod(0o755)
    for name, path in DOCUMENTS.items():
        shutil.copyfile(HOME / path, folder / name)
    subprocess.run(["npm", "pack", "--silent", "--pack-destination", out, folder], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
