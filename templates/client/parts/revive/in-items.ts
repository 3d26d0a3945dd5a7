function inItems(first: readonly Revive[], others: Revive): Revive {
  return (value) => (Array.isArray(value) ? value.map((each, index) => (first[index] ?? others)(each)) : value);
}
