"""The type of integers."""

from abc import ABC
from typing import Any


class Integer(ABC):
    """int and its subclasses, but bool."""

    @classmethod
    def __subclasshook__(cls, other: Any) -> bool:
        return other is not bool and issubclass(other, int)
