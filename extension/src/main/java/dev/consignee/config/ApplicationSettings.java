package dev.consignee.config;

import java.time.Duration;

/**
 * What holds for the whole application.
 *
 * @param enabled whether anything is subscribed at all
 * @param shutdownTimeout how long running handlers get at a stop; zero or more
 */
public record ApplicationSettings(boolean enabled, Duration shutdownTimeout) {}
