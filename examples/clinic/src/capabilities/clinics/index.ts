export { createClinic } from './create-clinic.ts';
export { listClinics } from './list-clinics.ts';
