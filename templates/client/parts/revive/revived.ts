function revived(revive: Revive | undefined, value: unknown): unknown {
  return revive ? revive(value) : value;
}
