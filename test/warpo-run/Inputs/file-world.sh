# Makes, in the current folder, what tests of --dir use: `in` and `in2`, which programs get, and `out`, which nothing may
# touch or tell of. So for what lies beside them under the names that Node's WASI has for the standard streams.
rm -rf in in2 out '<stdin>' '<stderr>'
mkdir -p in/sub/deep in/nested in2 out/dir '<stdin>' '<stderr>'
echo secret > out/secret.txt
cp out/secret.txt '<stdin>'
cp out/secret.txt '<stderr>'
echo hello > in/file.txt
echo nested > in/nested/file.txt
ln -s "$PWD/out" in/found-absolute
cd in
ln -s /etc found-etc
ln -s ../out found
ln -s found found-twice
ln -s ../out/secret.txt found-file
ln -s ../out/new.txt found-dangling
ln -s ../../out sub/found
ln -s ../file.txt sub/up-file
ln -s sub inner
ln -s file.txt inner-file
ln -s inner-new inner-dangling
ln -s loop loop
