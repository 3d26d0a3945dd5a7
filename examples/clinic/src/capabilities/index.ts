import { group } from 'capix';
import * as bookings from './bookings/index.js';
import * as files from './files/index.js';
import * as hooks from './hooks/index.js';
import * as members from './members/index.js';
import * as proposals from './proposals/index.js';

export * as clinics from './clinics/index.js';
export * as lab from './lab/index.js';
/** What belongs to one clinic has its id in the path, and guards read it there. */
export const clinic = group('/clinics/:clinicId', { bookings, files, hooks, members, proposals });
