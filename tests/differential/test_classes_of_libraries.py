"""Objects of classes made with the help of `enum`, `abc` and `dataclasses`."""

from __future__ import annotations

import abc
import dataclasses
import enum

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe

LOG: list[object] = []


class Planet(enum.Enum):
    """Members with attributes of their own, and methods."""

    NEAR = (2.0, 3)
    FAR = (1.0, 5)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        """Return a number made of attributes."""
        return self.mass / self.radius

    def pull(self, x):
        """Return what depends on the member and on a value."""
        if x > 1:
            return x * self.gravity
        return self.mass if self is Planet.NEAR else -x


class Setup:
    """Refers to members."""

    planet = Planet.FAR
    pair = (1, Planet.NEAR)


class Shape(abc.ABC):
    """Has an abstract method."""

    @abc.abstractmethod
    def area(self):
        """Return a number."""

    def twice(self):
        """Return a number made by the abstract method."""
        return 2 * self.area()


class Square(Shape):
    """Has none."""

    def __init__(self, width):
        self.width = width

    def area(self):
        """Return the area."""
        return self.width * self.width


@dataclasses.dataclass
class Counted:
    """Does something after its fields are set."""

    value: float
    items: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.double = self.value * 2
        LOG.append(self.value)


def methods_of_members(planet, x):
    """Call methods of an argument that is a member."""
    return planet.pull(x), planet.gravity


def members_in_other_objects(planet, x):
    """Read attributes of members that classes and tuples hold."""
    return Setup.planet.mass * x, Setup.pair[1].mass, [p.radius for p in (Planet.NEAR, planet)]


def members_by_value(planet, x):
    """Look members up."""
    return Planet((x * 1.0, 3)) is planet, Planet["FAR"]


def abstract_classes(planet, x):
    """Make objects of a class that derives from an abstract one, and of that."""
    square = Square(x)
    try:
        Shape()
    except TypeError as error:
        return square.twice(), isinstance(square, Shape), str(error)


def after_the_fields(planet, x):
    """Make an object whose class does something afterwards."""
    one, other = Counted(x), Counted(x + 1)
    for i in range(20):
        one.items.append(i)
    return one, one.double, other, len(LOG)


@pytest.mark.parametrize(
    "function",
    [
        methods_of_members, members_in_other_objects, members_by_value, abstract_classes,
        after_the_fields,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_program_is_compiled(function):
    """Each runs as the plain one does."""
    compiled = ag.compile(function, fallback="error")
    for planet in Planet:
        for x in (1, 2, 2.5):
            LOG.clear()
            want = observe(function, (planet, x))
            LOG.clear()
            assert not differences(observe(compiled, (planet, x)), want)


@pytest.mark.parametrize("function", [methods_of_members, members_in_other_objects])
@pytest.mark.filterwarnings("ignore::autograph.AutographWarning")
def test_attribute_of_a_member_is_assigned_between_calls(function):
    """The next call sees it, whether the member is an argument or held by something else."""
    compiled = ag.compile(function)
    before = {planet: planet.mass for planet in Planet}
    try:
        for mass in (3.0, 7, np.ones(2)):
            for planet in Planet:
                planet.mass = mass
                want = observe(function, (planet, 2))
                assert not differences(observe(compiled, (planet, 2)), want)
    finally:
        for planet, mass in before.items():
            planet.mass = mass
