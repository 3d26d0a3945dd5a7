/** Does not follow redirects. */
function stays(_fields: Fields, to: Outgoing): void {
  to.redirect = 'manual';
}
