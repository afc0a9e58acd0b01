/** The most incidents that a command reads of the service's list. */
export const mostListed = 1000;
