import { createAuthClient } from 'better-auth/client';
import { createClient, webSocket } from 'capix/client';
import type { server } from '../src/server.ts';
import { find, note, read, showRows } from './elements.ts';

const auth = createAuthClient({ baseURL: location.origin, basePath: '/auth' });
const api = createClient<typeof server>({ transport: webSocket(location.origin) });
const signIn = find('#sign-in', HTMLFormElement);
const book = find('#book', HTMLFormElement);

signIn.onsubmit = async (event) => {
  event.preventDefault();
  const sent = { email: read(signIn, 'email'), password: read(signIn, 'password') };
  const { error } = await auth.signIn.email(sent);
  if (error) {
    note(error.message ?? 'That did not work.');
    return;
  }
  const [clinic] = await api.clinics.listClinics();
  if (!clinic) {
    note('You are not a member of a clinic.');
    return;
  }
  note(clinic.name);
  signIn.hidden = true;
  book.hidden = false;
  book.onsubmit = (event) => {
    event.preventDefault();
    void bookVisit(clinic.id);
  };
  await showBookings(clinic.id);
};

async function bookVisit(clinicId: string): Promise<void> {
  const visit = {
    clinicId,
    doctor: read(book, 'doctor'),
    startsAt: new Date(read(book, 'startsAt')).toISOString(),
    patient: read(book, 'patient'),
    email: read(book, 'email'),
  };
  const idempotencyKey = crypto.randomUUID();
  const booked = await api.clinic.bookings.createBooking.safe(visit, { idempotencyKey });
  if (booked.ok) note(`Booked for ${booked.data.startsAt.toLocaleString()}.`);
  else if (booked.error.name === 'SlotTaken') note(`${booked.error.meta.doctor} is taken then.`);
  else note(booked.error.message);
}

/** Shows all bookings and each change, as long as the page is open. */
async function showBookings(clinicId: string): Promise<void> {
  const bookings = new Map<string, string>();
  for await (const change of await api.clinic.bookings.watchBookings({ clinicId })) {
    if (change.kind === 'all') bookings.clear();
    if (change.kind === 'cancelled') bookings.delete(change.id);
    else
      for (const { id, startsAt, patient, doctor } of change.bookings)
        bookings.set(id, `${startsAt.toLocaleString()}: ${patient}, with ${doctor}`);
    showRows([...bookings.values()].toSorted());
  }
}
