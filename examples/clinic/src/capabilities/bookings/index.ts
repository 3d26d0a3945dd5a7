export { cancelBooking } from './cancel-booking.js';
export { createBooking } from './create-booking.js';
export { getBooking } from './get-booking.js';
export { listBookings } from './list-bookings.js';
export { watchBookings } from './watch-bookings.js';
