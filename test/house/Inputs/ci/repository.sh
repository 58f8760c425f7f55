# Makes a repository with the branches main, same and slower.
set -e
git init -q -b main repository
cp Makefile app.wat repository
cd repository
commit() {
  git add -A
  git -c user.name=me -c user.email=me@example.org commit -q --allow-empty -m "$1"
}
commit "A program"
git checkout -q -b same
commit "Nothing"
git checkout -q -b slower main
cp ../slower.wat app.wat
commit "More turns"
