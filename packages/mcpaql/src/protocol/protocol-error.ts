/** An error of the protocol: a code, a message for the caller, and details for programs. */

/** Part of the protocol: programs depend on these codes, so none may be renamed. */
export type ErrorCode =
  | 'VALIDATION_MISSING_PARAM'
  | 'VALIDATION_INVALID_TYPE'
  | 'VALIDATION_UNKNOWN_PARAM'
  | 'VALIDATION_UNKNOWN_FIELD'
  | 'VALIDATION_INVALID_ENUM'
  | 'VALIDATION_OUT_OF_RANGE'
  | 'VALIDATION_PATTERN_MISMATCH'
  | 'VALIDATION_INVALID_VALUE'
  | 'VALIDATION_INVALID_QUERY'
  | 'VALIDATION_PAYLOAD_TOO_LARGE'
  | 'VALIDATION_ENDPOINT_MISMATCH'
  | 'NOT_FOUND_OPERATION'
  | 'NOT_FOUND_RESOURCE'
  | 'PERMISSION_DENIED'
  | 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'
  | 'PERMISSION_DANGER_LEVEL_DENIED'
  | 'PERMISSION_REVIEW_REQUIRED'
  | 'CONFIRMATION_REQUIRED'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_ALREADY_USED'
  | 'TOKEN_SCOPE_MISMATCH'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CONFLICT_ALREADY_EXISTS'
  | 'INTERNAL_ERROR'
  | 'UPSTREAM_TOOL_ERROR'
  | 'TRANSPORT_DNS_ERROR'
  | 'TRANSPORT_CONNECTION_REFUSED'
  | 'TRANSPORT_TIMEOUT'
  | 'TRANSPORT_TLS_ERROR'
  | 'TRANSPORT_NETWORK_ERROR'
  | 'PROTOCOL_INVALID_MAPPING'
  | 'SERIALIZATION_PARSE_ERROR'
  | 'AUTH_CONFIG_INVALID'
  | 'AUTH_CREDENTIAL_MISSING';

export type Details = Readonly<Record<string, unknown>>;

/** Thrown while a call is handled. The dispatcher turns it into an envelope with `error`. */
export class ProtocolError extends Error {
  readonly code: ErrorCode;
  readonly details: Details | undefined;

  constructor(code: ErrorCode, message: string, details?: Details) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.details = details;
  }
}
