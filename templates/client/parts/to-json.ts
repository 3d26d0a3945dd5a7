function toJson(fields: Fields, to: Outgoing): void {
  to.headers.set('content-type', 'application/json');
  to.body = toJsonText(fields);
}
