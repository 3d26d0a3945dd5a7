/**
 * The keyword of a JSON Schema under which its checks stand that are code. Screens read it: beside what makes the marks it would have them load
 * zod.
 */
export const CHECKS_KEYWORD = 'x-checks';
