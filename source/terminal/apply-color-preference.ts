/**
 * Passes the wish for no colour on to Ink, which reads only FORCE_COLOR. Must run before Ink is loaded. NO_COLOR goes,
 * because Node warns in every child process that has both.
 */
export function applyColorPreference(environment: Record<string, string | undefined> = process.env): void {
  const { NO_COLOR, FORCE_COLOR } = environment;
  if (!NO_COLOR || FORCE_COLOR !== undefined) return;
  environment['FORCE_COLOR'] = '0';
  delete environment['NO_COLOR'];
}
