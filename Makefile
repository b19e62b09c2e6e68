# The commands of this repository; make alone lists them.
.PHONY: help demo build test bench parity prove-sealed fuzz torture update ci clean

help:
	@sed -n 's/^## //p' Makefile

## make demo     evaluate the embedded model on the embedded benchmark
demo: build
	@.ci/ollama/ensure >/dev/null
	bin/lightbox demo

## make build    bin/lightbox, one static file
build:
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/lightbox

## make test     the tests that need nothing but Go
test:
	go test ./...

## make bench    times and memory, beside other programs in the same run
bench:
	@.ci/bench/run

## make parity   compare with the recorded decisions of the official codes, where they lie beside this checkout
parity:
	@.ci/parity

## make prove-sealed   every command, traced where loopback is the only network
prove-sealed: build
	@.ci/ollama/ensure >/dev/null
	@.ci/prove-sealed

## make fuzz     every fuzz target, 30 s each
fuzz:
	.ci/fuzz 30s

## make torture  100 kills of lightbox, 20 of the server, 20 of its runner; SEED=N repeats one
torture:
	@.ci/ollama/ensure >/dev/null
	go test -tags integration -count=1 -timeout 3h -run '^TestTorture$$' ./cmd/lightbox -v -torture $(or $(KILLS),100/20/20) -seed $(or $(SEED),0)

## make update   rewrite the golden files from what the code does now
update:
	go test $$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -run 'Golden|Script' -update

## make ci       everything, as checked before a release
ci:
	.ci/run

## make clean    remove what was built and run here
clean:
	rm -rf bin runs
