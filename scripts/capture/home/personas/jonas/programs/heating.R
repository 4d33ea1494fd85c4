# Oil and cold, first winter in the house.
heat <- read.csv("~/Documents/Heating/heat-load-2026.csv", check.names = FALSE)
names(heat) <- c("date", "oil", "warmest", "coldest", "humidity")
heat$mean <- (heat$warmest + heat$coldest) / 2

model <- lm(oil ~ mean, data = heat)
summary(model)

plot(heat$mean, heat$oil, xlab = "degrees", ylab = "liters")
abline(model)
tapply(heat$oil, substr(heat$date, 6, 7), sum)
