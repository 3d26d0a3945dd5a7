/** A form where there are files, else JSON. */
function toFormOrJson(fields: Fields, to: Outgoing): void {
  const hasFile = Object.values(fields).flat().some((value) => value instanceof Blob);
  (hasFile ? toForm : toJson)(fields, to);
}
