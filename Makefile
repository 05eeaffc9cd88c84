# Two commands: `make test` is what fits in ten minutes, `make test-all` adds
# what takes longer. Both first install what the tests need and the machine
# lacks, through apt; without root they say what is missing, and tests that
# need it are skipped.

GO ?= go
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# program or folder:package
NEEDS = chromium:chromium ip:iproute2 avahi-browse:avahi-utils avahi-daemon:avahi-daemon \
	dbus-daemon:dbus systemd-analyze:systemd node:nodejs curl:curl nsenter:util-linux mount:mount mkfs.ext4:e2fsprogs \
	zbarimg:zbar-tools pdftoppm:poppler-utils \
	nmcli:network-manager dnsmasq:dnsmasq-base /usr/share/fonts/truetype/noto:fonts-noto-core
# What test-all needs besides, to emulate a machine. Its kernel is that of Debian's
# installer for ARM, a package for every machine; that of the kernel itself is not.
DEBIAN = $(shell . /etc/os-release; echo $${VERSION_ID%%.*})
MACHINE = qemu-arm-static:qemu-user-static qemu-system-aarch64:qemu-system-arm cpio:cpio fdtput:device-tree-compiler \
	/usr/lib/debian-installer/images/$(DEBIAN)/arm64/text:debian-installer-$(DEBIAN)-netboot-arm64

.PHONY: shots build test test-all check needs cross fuzz

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o mafiabox ./cmd/mafiabox

test: needs check
	$(GO) test -count=1 -timeout 20m $$($(GO) list ./... | grep -v /cmd/)
	$(GO) test -count=1 -timeout 20m -parallel 4 ./cmd/... # by itself, as it measures; and not from the cache, as it builds the program itself

# What is run on 32 bits, too: after an unclean end Badger opens again there or never more.
UNCLEAN = TestKill$$|Rot$$|Lost|Empty|Half|BrokenChain
ARM = qemu-arm-static -cpu arm1176

# For who has just run `make test`, as .ci/run has: make test-all TESTED=1
TESTED =
test-all: NEEDS += $(MACHINE)
test-all: $(if $(TESTED),,test) needs cross fuzz
	$(GO) test -timeout 20m -count=1 -run=RandomPlay ./engine/rulesets -games 10000
	$(GO) test -timeout 20m -count=1 -run='Secrecy$$' ./engine/rulesets -pairs 1500
	$(GO) test -timeout 20m -count=1 -run=PagesKeepSecrets ./server -pairs 150
	MAFIABOX_LONG=1 $(GO) test -timeout 20m -count=1 -parallel 4 -run='Kill|Air|Rehearsal|Power|Rot' ./cmd/mafiabox ./server/store
	GOARCH=386 CGO_ENABLED=0 $(GO) test -timeout 20m -count=1 -run='$(UNCLEAN)' ./server/store
	MAFIABOX_TEST_EXEC='$(ARM)' GOARCH=arm GOARM=6 CGO_ENABLED=0 $(GO) test -timeout 20m -count=1 -exec '$(ARM)' -run='TestKill$$|Lost|Empty|BrokenChain' ./server/store
	MAFIABOX_LONG=1 $(GO) test -timeout 20m -count=1 -run=PanelOnPins ./cmd/mafiabox
	$(GO) test -timeout 20m -count=1 -run=IdleCost ./hardware -idle 60s # by itself, as it measures
	$(GO) test -timeout 20m -count=1 -race -short ./server/... ./hardware ./engine/boulevard ./engine/record

check:
	@unformatted=$$(gofmt -l cmd engine hardware server static systemd); \
	if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...

# Every machine that the box is made for, without CGO.
cross:
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -o /dev/null ./cmd/mafiabox
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/mafiabox
	CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=7 $(GO) build -o /dev/null ./cmd/mafiabox
	CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 $(GO) build -o /dev/null ./cmd/mafiabox

# Pictures of each page and state, in both languages, for a person to look at.
SHOTS ?= dist/shots
shots: needs
	MAFIABOX_SHOTS=$(abspath $(SHOTS)) $(GO) test -count=1 -run='Shots|SevenPhones|Evening|Week|StylePage' ./cmd/mafiabox

FUZZTIME ?= 45s
fuzz:
	$(GO) test -run='^$$' -fuzz=FuzzParse -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s ./engine/record
	$(GO) test -run='^$$' -fuzz=FuzzReplay -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s ./engine/rulesets
	$(GO) test -run='^$$' -fuzz=FuzzName -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s ./server
	$(GO) test -run='^$$' -fuzz=FuzzHear -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s ./server/lan
	$(GO) test -run='^$$' -fuzz=FuzzTyped -fuzztime=$(FUZZTIME) -fuzzminimizetime=1s ./engine/forum

needs:
	@missing=; for pair in $(NEEDS); do \
		[ -d "$${pair%%:*}" ] || PATH="$$PATH:/usr/sbin:/sbin" command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair##*:}"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	else echo "not installed, and some tests are skipped without: $$missing (sudo apt-get install$$missing)"; fi
