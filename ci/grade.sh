#!/usr/bin/env bash
# Grades the submission of the action: annotations go to standard output, the summary and the outputs of the step to their
# files. Keur escapes all text of a submission that GitHub would interpret.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=path.sh
. "${0%/*}/path.sh"

# Without the links that the runner's own folder may have in its path: keur follows none where it writes.
reports=$(cd "$(mktemp -d "$RUNNER_TEMP/keur.XXXXXX")" && pwd -P)
trap 'rm -rf "$reports"' EXIT
args=(--format github --format "markdown=$reports/summary")
args+=(--format "github-output=$reports/output" --format "classroom=$reports/classroom")
args+=(--audience "${INPUT_AUDIENCE:-student}")
[ -z "${INPUT_EXERCISE:-}" ] || args+=(--exercise "$INPUT_EXERCISE")
[ -z "${INPUT_CASES:-}" ] || args+=(--cases "$INPUT_CASES")
[ -z "${INPUT_LANG:-}" ] || args+=(--lang "$INPUT_LANG")

# Shows the text on standard input as an error of the run: on one line, escaped as the runner decodes it.
annotate() {
    local text
    text=$(cat)
    text=${text#error: }
    text=${text//'%'/%25}
    text=${text//$'\r'/%0D}
    echo "::error title=keur::${text//$'\n'/%0A}"
}

while IFS= read -r format; do
    format=${format#"${format%%[![:space:]]*}"}
    format=${format%"${format##*[![:space:]]}"}
    case "$format" in
        "") ;;
        *=*) args+=(--format "$format") ;;
        *)
            annotate <<<"each line of the input \`format\` must be FORMAT=PATH, such as json=report.json"
            exit 2
            ;;
    esac
done <<<"${INPUT_FORMAT:-}"

cd "$GITHUB_WORKSPACE"
code=0
keur grade "${args[@]}" -- "${INPUT_SUBMISSION:-.}" 2>"$reports/errors" || code=$?
cat "$reports/errors" >&2
# If keur refuses to start there are no reports, and the reason is no annotation yet.
[ -s "$reports/summary" ] || annotate <"$reports/errors"
if [ "$code" = 4 ] && [ -s "$reports/output" ] && ! grep -q '^points=' "$reports/output"; then
    annotate <<<"keur could not grade, so there are no points. If an interpreter or a package is missing, install it in an earlier step, such as actions/setup-python or actions/setup-node."
fi
[ ! -s "$reports/summary" ] || cat "$reports/summary" >>"$GITHUB_STEP_SUMMARY"
[ ! -s "$reports/output" ] || cat "$reports/output" >>"$GITHUB_OUTPUT"
# A classroom reporter would take a result without points for a grade of 0.
if [ -s "$reports/classroom" ] && grep -q '^points=' "$reports/output"; then
    echo "result=$(base64 <"$reports/classroom" | tr -d '\n')" >>"$GITHUB_OUTPUT"
fi
exit "$code"
