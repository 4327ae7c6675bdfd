# The jobs of .ci/run. Each is one call of the Makefile; make runs one for each core at a time and shows what a job
# printed when it ends. pytest exits with an error when it finds no test.

# In every run, the longest first, so that the cores end together.
push: slow attacks check test demo lint docs

# In the nightly run, which leaves nothing out. With COURSE_ALL=1 in the environment, tests try more values besides.
night: everything machines lossless attacks coverage seeds

# The bait of the attacks is in one job with its own test, which would set it off.
attack_tests := tests/test_attacks.py tests/test_bait.py
# Two processes, each with a file at a time: one by itself would need longer than all other jobs together.
slow := test-slow SLOW="slow and not nightly" TESTS="$(attack_tests:%=--ignore=%) --numprocesses 2 --dist loadfile"
attacks := test-slow TESTS="$(attack_tests)"
test := test WORKERS=2
everything := test-slow TESTS="$(attack_tests:%=--ignore=%) --ignore=tests/machines --ignore=tests/lossless"
machines := test-slow TESTS=tests/machines
lossless := test-slow TESTS=tests/lossless
seeds := check OPTIONS="--seeds 50"
coverage := test WORKERS=2 TESTS=--cov

.PHONY: push night slow attacks check test demo lint docs everything machines lossless coverage seeds
slow attacks check test demo lint docs everything machines lossless coverage seeds:
	@began=$$(date +%s); code=0; $(MAKE) $(or $($@),$@) || code=$$?; \
	echo "== $$(($$(date +%s) - began)) s, exit code $$code: $@"; exit $$code
