#!/usr/bin/env bash
# Puts keur on the path of the following steps: the installed one, else the released program of this action's version. The
# working folder is a student's repository and must not influence what runs here.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=path.sh
. "${0%/*}/path.sh"

if command -v keur >/dev/null; then
    keur --version
    exit
fi

# Shows an error of the run, and ends the step as keur does when it cannot grade.
fail() {
    echo "::error title=keur::$1"
    exit 4
}

# A value of the action's Cargo.toml, of which the workspace's comes first.
manifest() {
    sed -n "s/^$1 = \"\(.*\)\"/\1/p" "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1
}

# The SHA-256 of the input; macOS has no sha256sum.
sum() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

ending=tar.gz
case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) target=x86_64-unknown-linux-musl ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl ;;
    macOS-X64) target=x86_64-apple-darwin ;;
    macOS-ARM64) target=aarch64-apple-darwin ;;
    Windows-X64) target=x86_64-pc-windows-gnu ending=zip ;;
    *) fail "There is no released keur for $RUNNER_OS on $RUNNER_ARCH. Use a runner with Linux, macOS or Windows on X64, or put a keur on the path in an earlier step." ;;
esac

version=$(manifest version)
name="keur-$version-$target"
archive="$name.$ending"
address=$(manifest repository)
case "$address" in
    */-*/keur) fail "This keur is not published: its Cargo.toml has no address yet. Use the action of a published keur, or put a keur on the path in an earlier step." ;;
esac
command -v curl >/dev/null || fail "There is no curl to download keur with. Install curl in an earlier step, or put a keur on the path."

home="$RUNNER_TEMP/keur-program"
rm -rf "$home"
mkdir -p "$home"
cd "$home"
for file in SHA256SUMS "$archive"; do
    url="$address/releases/download/v$version/$file"
    curl --fail --silent --show-error --location --proto-redir '=https' --retry 2 --max-time 120 --output "$file" "$url" ||
        fail "$url cannot be downloaded. Check that version $version of keur is released and that the runner can reach this address, then run the job again."
done
expected=$(awk -v file="$archive" '$2 == file || $2 == "*" file { print $1 }' SHA256SUMS)
[ "$expected" = "$(sum <"$archive")" ] ||
    fail "$archive is not the released file: its SHA-256 is not the one in SHA256SUMS. Run the job again, and if that does not help, report it at $address/issues."
case "$archive" in
    *.zip) unzip -q "$archive" ;;
    *) tar -xzf "$archive" ;;
esac || fail "$archive cannot be unpacked; the log says why."
"$name/keur" --version || fail "The released keur does not start on this runner; the log says why. Put a keur that does on the path in an earlier step."
echo "$home/$name" >>"$GITHUB_PATH"
