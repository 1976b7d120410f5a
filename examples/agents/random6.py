#!/usr/bin/env python3
"""An agent for the 6x6 competition that plays random moves."""
import random

import lines
import nus_agent

nus_agent.serve("Random: moves by chance", lambda board, turns: random.choice(lines.moves(board, "X")))
