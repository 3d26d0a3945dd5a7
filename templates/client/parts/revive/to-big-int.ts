const toBigInt: Revive = (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value);
