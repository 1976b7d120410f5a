"""An agent whose moves are all illegal."""
import sys
import time
for line in sys.stdin:
    if 'isready' in line: print('readyok', flush=True)
    if line.startswith('go'):
        time.sleep(0.05)
        print('bestmove a1-a5', flush=True)
    if 'quit' in line: break
