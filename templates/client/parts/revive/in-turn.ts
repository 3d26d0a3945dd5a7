function inTurn(...all: readonly Revive[]): Revive {
  return (value) => all.reduce((made, revive) => revive(made), value);
}
