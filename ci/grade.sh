#!/usr/bin/env bash
# Grades the submission of the action: annotations go to standard output, the summary and the outputs of the step to their
# files. Keur escapes all text of a submission that GitHub would interpret.
set -euo pipefail

# A relative folder on the path would be inside the repository.
PATH=$(tr ':' '\n' <<<"$PATH" | grep '^/' | paste -sd ':' -)
export PATH

# Without the links that the runner's own folder may have in its path: keur follows none where it writes.
reports=$(cd "$(mktemp -d "$RUNNER_TEMP/keur.XXXXXX")" && pwd -P)
trap 'rm -rf "$reports"' EXIT
args=(--format github --format "markdown=$reports/summary")
args+=(--format "github-output=$reports/output" --format "classroom=$reports/classroom")
args+=(--audience "${INPUT_AUDIENCE:-student}")
[ -z "${INPUT_EXERCISE:-}" ] || args+=(--exercise "$INPUT_EXERCISE")
[ -z "${INPUT_CASES:-}" ] || args+=(--cases "$INPUT_CASES")
[ -z "${INPUT_LANG:-}" ] || args+=(--lang "$INPUT_LANG")
while IFS= read -r format; do
    case "$format" in
        "") ;;
        *=*) args+=(--format "$format") ;;
        *)
            echo "::error title=keur::each line of the input \`format\` must be FORMAT=PATH"
            exit 2
            ;;
    esac
done <<<"${INPUT_FORMAT:-}"

cd "$GITHUB_WORKSPACE"
code=0
keur grade "${args[@]}" -- "${INPUT_SUBMISSION:-.}" || code=$?
# A usage error leaves no reports.
[ ! -s "$reports/summary" ] || cat "$reports/summary" >>"$GITHUB_STEP_SUMMARY"
[ ! -s "$reports/output" ] || cat "$reports/output" >>"$GITHUB_OUTPUT"
[ ! -s "$reports/classroom" ] || echo "result=$(base64 <"$reports/classroom" | tr -d '\n')" >>"$GITHUB_OUTPUT"
exit "$code"
