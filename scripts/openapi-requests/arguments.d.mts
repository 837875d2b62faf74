export const VALIDATORS: string;
