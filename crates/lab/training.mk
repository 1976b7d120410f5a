# The learned evaluation of Lines of Action from nothing: `make -j2 train`. On two cores it takes some four hours. An
# interrupted run keeps its finished files; start it again to go on.

TRAINING ?= target/training
# Games in each file of positions. A trial: `make train TRAINING=target/trial TRAINING_GAMES=200`.
TRAINING_GAMES ?= 20000

TUNE := target/release/tune
TRAINING_FILES := 1 2 3 4
QUICK := nodes=2500,horizon=0/0,table=1,proof=0
GENERATE = mkdir -p $(TRAINING) && $(TUNE) generate loa --games $(TRAINING_GAMES) --out $@.part

.PHONY: train tune-program

train: $(TRAINING)/b.evaluation
	@cmp -s $< crates/engine/data/loa8.evaluation \
	  && echo '$<: the same as crates/engine/data/loa8.evaluation' \
	  || echo '$<: other numbers than in crates/engine/data/loa8.evaluation'

tune-program:
	$(CARGO) build --release --locked -p plyhouse-lab --bin tune

# The player with terms against itself.
$(TRAINING)/r0-%.txt: | tune-program
	$(GENERATE) --player build=second,$(QUICK) --seed $*00000000
	mv $@.part $@

# The player with what it has learned so far.
$(TRAINING)/l1-%.txt: $(TRAINING)/a.evaluation
	$(GENERATE) --player $(QUICK) --evaluation $< --seed $*0000000000
	mv $@.part $@

$(TRAINING)/a.evaluation: $(TRAINING_FILES:%=$(TRAINING)/r0-%.txt)
$(TRAINING)/b.evaluation: $(TRAINING_FILES:%=$(TRAINING)/r0-%.txt) $(TRAINING_FILES:%=$(TRAINING)/l1-%.txt)
$(TRAINING)/%.evaluation:
	$(TUNE) learn $^ --out $(TRAINING)/$*.part
	mv $(TRAINING)/$*.part $@
