function inFields(fields: Readonly<Record<string, Revive>>, others: Revive = same): Revive {
  return (value) => {
    if (isFields(value)) for (const name in value) value[name] = (Object.hasOwn(fields, name) ? fields[name]! : others)(value[name]);
    return value;
  };
}
