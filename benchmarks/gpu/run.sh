#!/usr/bin/env bash
# run.sh RESULTS [STEP ...]: runs what pack.sh has packed, on the machine with the GPU; steps are tests, lists, sanitizer,
# benchmarks and figures (all when none is named), random (lists of random values for RANDOM_SECONDS), and peers (MueLu and
# Ifpack2 on the GPU, in a Trilinos with CUDA). RANKS (1 2): of the tests; PARALLEL (4): tests at a time; LIMIT (240): seconds
# of a test. Logs go into the folder RESULTS; each step's verdict is printed. Exit status 1 when a test failed, the sanitizer
# complained or a figure was missed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=$1; shift
steps=${*:-tests lists sanitizer benchmarks figures}
ranks_of_tests=${RANKS:-1 2} limit=${LIMIT:-240}
mkdir -p "$results"; results=$(cd "$results" && pwd)
export LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:-} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=${OMP_NUM_THREADS:-8}
cd "$here"
source=$(cat source) # tests of the lists look for xml_params and docs there
[ -e "$source" ] || { mkdir -p "$(dirname "$source")" && ln -s "$here" "$source"; } 2>/dev/null
failed=0
verdicts=() # of the step under way: its name behind + or -
verdict() { # status, name
  if [ "$1" = 0 ]; then echo "ok      $2"; verdicts+=("+$2"); else echo "FAILED  $2 (status $1)"; verdicts+=("-$2"); failed=1; fi
}
stamp() { # what stamp.py reads
  python3 -c '
import json, sys
device, driver = [part.strip() for part in sys.argv[2].split(",")]
json.dump({"commit": sys.argv[1], "date": sys.argv[3], "device": device, "driver": driver, "gpus": int(sys.argv[4]),
           "passed": sum(name[0] == "+" for name in sys.argv[5:]), "failed": [name[1:] for name in sys.argv[5:] if name[0] == "-"]},
          sys.stdout, indent=1)' "$(cat commit)" "$(head -n 1 "$results/device.txt")" "$(date -u +%F)" "$(wc -l < "$results/device.txt")" \
    "${verdicts[@]}" > "$results/gpu-tests.json"
}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | tee "$results/device.txt"
for step in $steps; do
  case $step in
    tests)
      set --; verdicts=()
      for test in bin/test_*; do
        for ranks in $ranks_of_tests; do set -- "$@" "$(basename "$test") $ranks"; done
      done
      printf '%s\n' "$@" | results=$results limit=$limit xargs -P "${PARALLEL:-4}" -L 1 bash -c '
        timeout -k 5 $limit mpirun --oversubscribe --bind-to none -np $1 bin/$0 --gtest_brief=1 > "$results/$0-$1.log" 2>&1
        echo $? > "$results/$0-$1.status"'
      for case in "$@"; do
        read -r name ranks <<< "$case"
        status=$(cat "$results/$name-$ranks.status") how="$name on $ranks ranks"
        if [ "$status" != 0 ]; then # large tests in parallel may need more memory than 80 GB: once more, alone
          mv "$results/$name-$ranks.log" "$results/$name-$ranks-parallel.log"
          timeout -k 5 "$limit" mpirun --oversubscribe --bind-to none -np "$ranks" "bin/$name" --gtest_brief=1 > "$results/$name-$ranks.log" 2>&1
          status=$? how="$how, alone (it failed in parallel)"
        fi
        verdict "$status" "$how"
      done
      stamp ;;
    lists) # on three problems and one to three ranks: host against device, or the record of another build against this one
      recorded=(); [ ! -e levels.json ] || recorded=(--recorded levels.json)
      timeout 500 python3 differential.py --tessera bin/tessera "${recorded[@]}" --json "$results/differential.json" | tee "$results/differential.txt"
      verdict "${PIPESTATUS[0]}" "every list, host against device"
      stamp ;;
    peers)
      timeout 500 python3 device_peers.py --tessera bin/tessera --commit "$(cat commit)" --json "$results/device-peers.json" | tee "$results/device-peers.txt"
      verdict "${PIPESTATUS[0]}" peers ;;
    random)
      timeout 590 python3 differential.py --tessera bin/tessera --seconds "${RANDOM_SECONDS:-240}" --seed "${RANDOM_SEED:-1}" \
        --json "$results/random.json" | tee "$results/random.txt"
      verdict "${PIPESTATUS[0]}" "random lists, host against device" ;;
    sanitizer) # the checkers slow kernels down a hundredfold; tests named *Large* or *Leaks* are left out; some provoke errors of the API
      for test in bin/test_*_gpu; do
        name=$(basename "$test")
        for tool in memcheck racecheck; do
          TESSERA_REUSE_BLOCKS=0 timeout 240 compute-sanitizer --tool $tool --report-api-errors no --error-exitcode 9 \
            "$test" --gtest_brief=1 --gtest_filter='-*Large*:*Leaks*:*OutOfMemory*:*CannotBeMet*' > "$results/$tool-$name.log" 2>&1
          verdict $? "$tool $name"
        done
      done ;;
    benchmarks)
      for program in bin/*_benchmark; do
        name=$(basename "$program")
        case $name in gpu_large_*) arguments=(box3d 432) ;; gpu_arrays_*) arguments=(512) ;; gpu_*|setup_*) arguments=() ;; cg_*) arguments=(cuda) ;;
          tpetra_*) arguments=(--repeat 5 101 256) ;;
          stratimikos_*) arguments=(--xml xml_params/sa_amg_whole.xml --backend cuda) ;; *) continue ;; esac
        timeout 200 "$program" "${arguments[@]}" > "$results/$name.txt" 2>&1
        verdict $? "$name"
        cat "$results/$name.txt"
      done
      for ranks in 1 2; do # a GPU each where there are two
        timeout 200 mpirun --oversubscribe --bind-to none -np $ranks bin/weak_scaling > "$results/weak-$ranks.txt" 2>&1
        verdict $? "weak_scaling on $ranks ranks"
        cat "$results/weak-$ranks.txt"
      done
      timeout 60 mpirun --oversubscribe --bind-to none -np 2 bin/exchange_benchmark > "$results/exchange.txt" 2>&1
      verdict $? "exchange_benchmark on 2 ranks"
      cat "$results/exchange.txt" ;;
    figures)
      matrices=(); [ -z "$(ls matrices)" ] || matrices=(--matrices matrices)
      timeout 500 python3 figures.py --tessera bin/tessera "${matrices[@]}" --json "$results/figures.json" | tee "$results/figures.txt"
      verdict $? figures ;;
    *) echo "unknown step $step: tests, lists, random, sanitizer, benchmarks, figures, peers"; exit 2 ;;
  esac
done
exit $failed
