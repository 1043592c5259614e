#!/usr/bin/env bash
# Grades a class on a Slurm cluster: an array of tasks that grade a shard each, and then a job that reports.
#
#   bash slurm.sh CLASS [SHARDS [CPUS]]      default: 16 shards, on 2 processors each
#
# CLASS was made by `keur class init`, on a machine like the nodes, and lies on a file system that all nodes share. All nodes have the
# same keur on the path, and the same interpreters. More shards than nodes spread slow submissions more evenly.
# To grade what is missing, for instance after a mended case, run it again.
set -euo pipefail
class=$(realpath "$1")
shards=${2:-16}
cpus=${3:-2}
logs=$class/logs
mkdir -p "$logs"

# Slurm runs the lines of --wrap with a shell.
keur=$(printf '%q' "$(command -v keur)")
quoted=$(printf '%q' "$class")

# A task whose node fails is started again (--requeue), and goes on with what it had published; its log goes on too.
array=$(sbatch --parsable --job-name=keur --array="1-$shards" --cpus-per-task="$cpus" --mem-per-cpu=1G --time=04:00:00 \
    --requeue --open-mode=append --output="$logs/shard-%a.log" \
    --wrap "exec $keur class run $quoted --shard auto/$shards --jobs $cpus")

# Not afterok: it would wait forever once a shard failed. The report says what is missing.
report=$(sbatch --parsable --job-name=keur-report --dependency="afterany:$array" --time=00:30:00 --mem=1G \
    --requeue --open-mode=append --output="$logs/report.log" \
    --wrap "exec $keur class report $quoted --format html=$quoted/report.html --format csv=$quoted/grades.csv --format json=$quoted/report.json")

echo "array job $array grades, job $report then writes report.html, grades.csv and report.json in $class"
echo "meanwhile: squeue --job $array,$report; logs are in $logs"
