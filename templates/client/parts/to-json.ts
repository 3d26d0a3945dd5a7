function toJson(fields: Fields, to: Outgoing): void {
  to.body = toJsonText(fields);
}
