// One HTTP request and its outcome as plain data, whether it goes through a socket, a proxy, or a sandbox in the same process.

export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Control {
  /** Milliseconds until the request ends, in any phase. An unanswered request ends with its connection. */
  readonly deadline: number;
  /** Ends the request when aborted; the reason "cancelled" of the outcome says so. */
  readonly signal?: AbortSignal;
  /** Milliseconds for a read with all its attempts; waiting for the rate limit does not count. */
  readonly budget?: number;
  /** Largest body of the answer, in bytes; 16 MiB by default. */
  readonly bodyLimit?: number;
  /** Called once, after the wait for the rate limit and before a connection is opened. If it rejects, nothing is sent. */
  readonly beforeSend?: () => void | Promise<void>;
  /** Asked right before the first byte. If it is true, nothing is sent, and the reason of the outcome is "timeout". */
  readonly isOverdue?: () => boolean;
}

/** The service, or a server on the way to it, answered with a complete response head. */
export interface Answered {
  readonly phase: "answered";
  readonly status: number;
  /** Header names in lower case; the values of a repeated header are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as far as it was received. */
  readonly body: Uint8Array;
  /** Why `body` is incomplete or unusable; absent for a complete body. */
  readonly bodyError?: "truncated" | "too-large" | "timeout" | "undecodable" | "cancelled";
}

/** No byte of the request left this machine for the service: sending it again cannot duplicate anything. */
export interface Unsent {
  readonly phase: "unsent";
  /** The system's own words, for a person. */
  readonly detail: string;
  readonly reason:
    | "unresolved"
    | "timeout"
    | "connection"
    /** The certificate is not trusted, or the port answers in plain text. */
    | "tls"
    | "proxy"
    | "proxy-login"
    | "cancelled";
}

/** The request was sent, in part or whole, and no complete response head came back: its effect is unknown. */
export interface Unanswered {
  readonly phase: "unanswered";
  readonly detail: string;
  /** `reset`: the other side ended the connection, or its bytes are no HTTP response. */
  readonly reason: "reset" | "timeout" | "cancelled";
}

/** The outcome of a request. Its phase follows from how far the request came, never from an error's code. */
export type Outcome = Answered | Unsent | Unanswered;

/** Sends one request. Rejects only with the error of `beforeSend`, or with a `Failure` before anything is sent. */
export type Transport = (request: WireRequest, control: Control) => Promise<Outcome>;
