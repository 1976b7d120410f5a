"""Checks of arguments, and calls of policies, for several modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plyhouse._plyhouse import Batch, Engine

__all__ = ["act", "refuse"]


def refuse(options: Mapping[str, object], owner: str, *names: str) -> None:
    """Raise a `TypeError` if the options contain one of these names, which the owner sets itself."""
    for name in names:
        if name in options:
            raise TypeError(f"{name}: set by {owner}, not an option")


def act(
    policy: Engine | Callable[[Batch], ArrayLike], batch: Batch, where: NDArray[np.bool_], name: str
) -> NDArray[Any]:
    """Return the actions of a policy in the marked games. Errors contain the policy's name."""
    if isinstance(policy, Engine):
        return policy.choose_batch(batch, where=where)[0]
    actions = np.asarray(policy(batch))
    if actions.shape != (len(batch),):
        raise ValueError(f"{name}: actions of shape {list(actions.shape)}: expected [{len(batch)}], one for each game")
    if actions.dtype.kind not in "iu":
        raise TypeError(f"{name}: {actions.dtype} found, expected whole numbers")
    # The actions of other games are ignored, but must be ids.
    return np.where(where, actions, 0)
