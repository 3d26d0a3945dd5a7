export { createClinic } from './create-clinic.js';
export { listClinics } from './list-clinics.js';
