export { cancelBooking } from './cancel-booking.ts';
export { createBooking } from './create-booking.ts';
export { getBooking } from './get-booking.ts';
export { listBookings } from './list-bookings.ts';
export { watchBookings } from './watch-bookings.ts';
