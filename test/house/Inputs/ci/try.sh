# Does on a branch of the repository what the job does.
git clone -q --branch "$1" repository "$1" && cd "$1" || exit 1
export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$PWD/summary.md
exec bash -e ../job.sh
