const same: Revive = (value) => value;
