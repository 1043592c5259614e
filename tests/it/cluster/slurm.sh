#!/usr/bin/env bash
# A real Slurm on this machine, for tests/it/cluster/mod.rs and benches/cluster.py.
#
#   slurm.sh up ROOT NODE…       starts munge, slurmctld and these nodes (n1, n2, …), of one processor each, with all their files in ROOT
#   slurm.sh down ROOT           ends them
#   slurm.sh start ROOT NODE     starts a node that was cut
#   slurm.sh cut ROOT NODE       a power cut: the node's daemon, its tasks and their submissions end at once
#   slurm.sh freeze ROOT NODE    stops every process of the node
#   slurm.sh thaw ROOT NODE      lets its tasks go on, but not yet its daemon, so that Slurm does not reach it
#   slurm.sh busy ROOT NODE      fails if no task runs there
#   slurm.sh back ROOT NODE      lets the daemon go on too
#
# With CPUS="0 1" in the environment, the first node has processor 0 alone, and so on.
#
# Needs root, and Debian's or Ubuntu's packages slurmctld, slurmd, slurm-client and munge. Nodes are namespaces of processes, each
# with its own daemon and host name. All traffic stays on 127.0.0.1, and only what was started here is ended.
set -euo pipefail
export LC_ALL=C
command=$1
root=$(realpath -m "$2")
shift 2
export SLURM_CONF=$root/slurm.conf

await() { # SECONDS WHAT COMMAND…
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        if ((SECONDS >= end)); then
            echo "waited in vain for $what; $root has the logs" >&2
            tail -n 5 "$root"/*.log "$root"/*.out >&2 || true
            return 1
        fi
        sleep 0.1
    done
}

# A port of this machine that nothing uses.
port() {
    local port
    while port=$((20000 + RANDOM % 10000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}

configure() {
    cat >"$SLURM_CONF" <<END
ClusterName=keur
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
# A task of a lost node is not started again before its credential has expired: after 120 s by default, 5 at least.
AuthInfo=socket=$root/munge.sock,cred_expire=5
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool-%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/%n.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/%n.log
# Without control groups, which a container does not have.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
JobRequeue=1
ReturnToService=2
SlurmdTimeout=5
MessageTimeout=3
KillWait=2
PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    for node in "$@"; do
        echo "NodeName=$node NodeHostname=$node NodeAddr=127.0.0.1 Port=$(port) CPUs=1 RealMemory=8000 State=UNKNOWN"
    done >>"$SLURM_CONF"
}

daemon() { # NAME COMMAND…
    local name=$1
    shift
    setsid "$@" </dev/null >"$root/$name.out" 2>&1 &
    echo $! >"$root/pids/$name"
    disown
}

start() {
    mkdir -p "$root/spool-$1"
    local pinned=() processors=(${CPUS:-})
    # The number in the name of a node counts from 1.
    [ ${#processors[@]} = 0 ] || pinned=(taskset --cpu-list "${processors[$((${1#n} - 1))]}")
    # The first process of the node is a shell, which reaps what the daemon's tasks leave.
    # shellcheck disable=SC2016
    daemon "$1" "${pinned[@]}" unshare --fork --pid --mount-proc --uts --kill-child=KILL -- \
        bash -c 'hostname "$1"; slurmd -D -N "$1" & wait $!' bash "$1"
}

# Every process of a node: those of its namespace.
processes() {
    local first namespace
    first=$(pgrep -P "$(cat "$root/pids/$1")")
    namespace=$(readlink "/proc/$first/ns/pid")
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/ns/pid" 2>/dev/null)" != "$namespace" ] || echo "${process#/proc/}"
    done
}

is_daemon() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = slurmd ]; }

all_idle() { [ "$(sinfo -h -o %D -t idle 2>/dev/null)" = "$1" ]; }

ended() { ! kill -0 "$1" 2>/dev/null; }

stop() { # NAME
    local process
    process=$(cat "$root/pids/$1")
    kill -KILL "$process" 2>/dev/null || true
    await 10 "the end of $1" ended "$process"
    rm "$root/pids/$1"
}

case $command in
    up)
        mkdir -p "$root/pids" "$root/state"
        chmod 755 "$root"
        configure "$@"
        (umask 077 && head -c 1024 /dev/urandom >"$root/munge.key")
        daemon munged munged -f -F --key-file="$root/munge.key" -S "$root/munge.sock" --pid-file="$root/munge.pid" \
            --log-file="$root/munge.log" --seed-file="$root/munge.seed"
        await 10 munge test -S "$root/munge.sock"
        daemon slurmctld slurmctld -D -c
        for node in "$@"; do start "$node"; done
        await 30 "the nodes" all_idle $#
        ;;
    down)
        # A node is its `unshare`, which heeds no other signal and takes the node with it. Nothing here is to be kept.
        for file in "$root"/pids/*; do
            [ ! -f "$file" ] || stop "$(basename "$file")"
        done
        ;;
    start) start "$1" ;;
    cut) stop "$1" ;;
    freeze)
        # Some may have ended meanwhile.
        processes "$1" | xargs kill -STOP 2>/dev/null || true
        ;;
    thaw)
        for process in $(processes "$1"); do
            is_daemon "$process" || kill -CONT "$process" 2>/dev/null || true
        done
        ;;
    busy)
        for process in $(processes "$1"); do
            [ "$(cat "/proc/$process/comm" 2>/dev/null)" != keur ] || exit 0
        done
        exit 1
        ;;
    back) processes "$1" | xargs kill -CONT 2>/dev/null || true ;;
    *)
        echo "unknown command: $command" >&2
        exit 2
        ;;
esac
