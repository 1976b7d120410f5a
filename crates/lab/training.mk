# The learned evaluations from nothing: `make -j2 train`. On two cores it takes some four hours. An
# interrupted run keeps its finished files; start it again to go on.

TRAINING ?= target/training
# Games in each file of positions of 8×8 Lines of Action. The files of Jump61 have 1.5 times as many games and those of
# 6×6 Lines of Action twice as many, because the games are shorter. Those of checkers and Breakthrough have fewer.
# A trial: `make -j2 train TRAINING=target/trial TRAINING_GAMES=200`.
TRAINING_GAMES ?= 20000

TUNE := target/release/tune
TRAINING_FILES := 1 2 3 4
QUICK := nodes=2500,horizon=0/0,table=1,proof=0
# Breakthrough learns from more and faster games: its evaluation consists mostly of tables.
QUICKEST := nodes=500,horizon=0/0,table=1,proof=0
GENERATE = mkdir -p $(TRAINING) && $(TUNE) generate --out $@.part
LOA = $(GENERATE) --games $(TRAINING_GAMES) loa --player
LOA6 = $(GENERATE) --games $$(($(TRAINING_GAMES) * 2)) --opening 6 loa --size 6 --player
JUMP61 = $(GENERATE) --games $$(($(TRAINING_GAMES) * 3 / 2)) jump61 --player
CHECKERS = $(GENERATE) --games $$(($(TRAINING_GAMES) * 4 / 5)) checkers --player
BREAKTHROUGH = $(GENERATE) --games $$(($(TRAINING_GAMES) * 91 / 100)) breakthrough --player

.PHONY: train books openings tune-program

# The opening books. Positions that a book has are not searched again.
books: tune-program
	for book in loa8:loa jump61-6:jump61 breakthrough8:breakthrough checkers:checkers; do \
	  $(TUNE) book $${book#*:} --jobs 2 --out crates/$${book#*:}/data/$${book%:*}.book || exit 1; \
	done

# The openings of the page's explorer.
openings: tune-program
	for game in loa checkers breakthrough; do \
	  $(TUNE) openings $$game --jobs 2 --out crates/games/data/openings/$$game.txt || exit 1; \
	done
	$(TUNE) openings jump61 --jobs 2 --games 450 --out crates/games/data/openings/jump61.txt

train: $(TRAINING)/b.evaluation $(TRAINING)/loa6-b.evaluation $(TRAINING)/jump61-b.evaluation \
  $(TRAINING)/checkers-c.evaluation $(TRAINING)/breakthrough-d.evaluation
	@for pair in b:loa/data/loa8 loa6-b:loa/data/loa6 jump61-b:jump61/data/jump61-6 \
	  checkers-c:checkers/data/checkers breakthrough-d:breakthrough/data/breakthrough8; do \
	  trained=$(TRAINING)/$${pair%:*}.evaluation; ours=crates/$${pair#*:}.evaluation; \
	  cmp -s $$trained $$ours && echo "$$trained: the same as $$ours" || echo "$$trained: other numbers than in $$ours"; \
	done

tune-program:
	$(CARGO) build --release --locked -p plyhouse-lab --bin tune

# Players with terms against themselves.
$(TRAINING)/r0-%.txt: | tune-program
	$(LOA) build=second,$(QUICK) --seed $*00000000
	mv $@.part $@

$(TRAINING)/loa6-r0.txt: | tune-program
	$(LOA6) build=second,$(QUICK) --seed 600000000
	mv $@.part $@

$(TRAINING)/jump61-r0.txt: | tune-program
	$(JUMP61) build=second,$(QUICK) --seed 100000000
	mv $@.part $@

$(TRAINING)/checkers-r0.txt: | tune-program
	$(CHECKERS) build=second,$(QUICK) --seed 100000000
	mv $@.part $@

$(TRAINING)/breakthrough-r0.txt: | tune-program
	$(BREAKTHROUGH) build=second,$(QUICKEST) --seed 100000000
	mv $@.part $@

# Players with what they have learned so far.
$(TRAINING)/l1-%.txt: $(TRAINING)/a.evaluation
	$(LOA) $(QUICK) --evaluation $< --seed $*0000000000
	mv $@.part $@

$(TRAINING)/loa6-l1.txt: $(TRAINING)/loa6-a.evaluation
	$(LOA6) $(QUICK) --evaluation $< --seed 60000000000
	mv $@.part $@

$(TRAINING)/jump61-l1.txt: $(TRAINING)/jump61-a.evaluation
	$(JUMP61) $(QUICK) --evaluation $< --seed 10000000000
	mv $@.part $@

$(TRAINING)/checkers-l1.txt: $(TRAINING)/checkers-a.evaluation
	$(CHECKERS) $(QUICK) --evaluation $< --seed 10000000000
	mv $@.part $@

$(TRAINING)/checkers-l2.txt: $(TRAINING)/checkers-b.evaluation
	$(CHECKERS) $(QUICK) --evaluation $< --seed 1000000000000
	mv $@.part $@

# A further round, whose evaluation is not in use (docs/engine.md, "Training").
$(TRAINING)/checkers-l3.txt: $(TRAINING)/checkers-c.evaluation
	$(CHECKERS) $(QUICK) --evaluation $< --seed 100000000000000
	mv $@.part $@

$(TRAINING)/breakthrough-l1.txt: $(TRAINING)/breakthrough-a.evaluation
	$(GENERATE) --games $$(($(TRAINING_GAMES) * 54996 / 20000)) breakthrough --player $(QUICKEST) \
	  --evaluation $< --seed 200000000
	mv $@.part $@

$(TRAINING)/breakthrough-l2.txt: $(TRAINING)/breakthrough-b.evaluation
	$(GENERATE) --games $$(($(TRAINING_GAMES) * 42316 / 20000)) breakthrough \
	  --player nodes=2000,horizon=0/0,table=1,proof=0 --evaluation $< --seed 300000000
	mv $@.part $@

$(TRAINING)/breakthrough-l3.txt: $(TRAINING)/breakthrough-c.evaluation
	$(GENERATE) --games $$(($(TRAINING_GAMES) * 9783 / 20000)) breakthrough \
	  --player nodes=3000,horizon=0/0,table=1,proof=0 --evaluation $< --seed 400000000
	mv $@.part $@

$(TRAINING)/a.evaluation: $(TRAINING_FILES:%=$(TRAINING)/r0-%.txt)
$(TRAINING)/b.evaluation: $(TRAINING_FILES:%=$(TRAINING)/r0-%.txt) $(TRAINING_FILES:%=$(TRAINING)/l1-%.txt)
$(TRAINING)/loa6-a.evaluation: $(TRAINING)/loa6-r0.txt
$(TRAINING)/loa6-b.evaluation: $(TRAINING)/loa6-r0.txt $(TRAINING)/loa6-l1.txt
$(TRAINING)/jump61-a.evaluation: $(TRAINING)/jump61-r0.txt
$(TRAINING)/jump61-b.evaluation: $(TRAINING)/jump61-l1.txt
$(TRAINING)/checkers-a.evaluation: $(TRAINING)/checkers-r0.txt
$(TRAINING)/checkers-b.evaluation: $(TRAINING)/checkers-l1.txt
$(TRAINING)/checkers-c.evaluation: $(TRAINING)/checkers-l1.txt $(TRAINING)/checkers-l2.txt
$(TRAINING)/checkers-d.evaluation: $(TRAINING)/checkers-l3.txt
$(TRAINING)/breakthrough-a.evaluation: $(TRAINING)/breakthrough-r0.txt
$(TRAINING)/breakthrough-b.evaluation: $(TRAINING)/breakthrough-l1.txt
$(TRAINING)/breakthrough-c.evaluation: $(TRAINING)/breakthrough-l2.txt
$(TRAINING)/breakthrough-d.evaluation: $(TRAINING)/breakthrough-l2.txt $(TRAINING)/breakthrough-l3.txt
$(TRAINING)/checkers-%.evaluation: SHARE = 0.8
$(TRAINING)/checkers-a.evaluation: SHARE = 0.5
$(TRAINING)/breakthrough-%.evaluation: SHARE = 0.7
$(TRAINING)/breakthrough-a.evaluation: SHARE = 0.9

# The more specific patterns come first: the last one matches every name.
$(TRAINING)/checkers-%.evaluation:
	$(TUNE) learn checkers $^ --score-share $(SHARE) --out $(TRAINING)/checkers-$*.part
	mv $(TRAINING)/checkers-$*.part $@

$(TRAINING)/breakthrough-%.evaluation:
	$(TUNE) learn breakthrough $^ --epochs 10 --score-share $(SHARE) --out $(TRAINING)/breakthrough-$*.part
	mv $(TRAINING)/breakthrough-$*.part $@

$(TRAINING)/jump61-%.evaluation:
	$(TUNE) learn jump61 $^ --score-share 0.7 --out $(TRAINING)/jump61-$*.part
	mv $(TRAINING)/jump61-$*.part $@

$(TRAINING)/%.evaluation:
	$(TUNE) learn loa $^ --out $(TRAINING)/$*.part
	mv $(TRAINING)/$*.part $@
